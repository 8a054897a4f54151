import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { wallets } from "#db/schema/wallets.ts";
import { consumeApproval, serviceActionUse, unneeded } from "#server/approvals/queries.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import { ApiError } from "#server/operation/errors.ts";
import { exampleId, typeId } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { lockWallet, readWallet, toWallet, type WalletRow } from "../queries.ts";
import { Wallet, WalletParams } from "../schema.ts";
import { checkPolicy } from "./check-policy.ts";
import { isLooser } from "./is-looser.ts";
import { mergePolicy, type PolicyChanges, policyFields } from "./schema.ts";

const UpdatePolicy = z.object({
  ifVersion: z
    .int()
    .min(1)
    .describe("The version that the change is based on; 409 if the policy has another one."),
  ...policyFields,
});

/** The action that an approval allows: the change of one version of one wallet's policy. */
const PolicyAction = z.strictObject({ walletId: typeId("wallet"), ...UpdatePolicy.shape });
type PolicyAction = z.output<typeof PolicyAction>;

export const updatePolicy = operation({
  id: "wallets.policy.update",
  method: "PATCH",
  path: "/wallets/{walletId}/policy",
  summary: "Update a wallet's policy",
  description:
    "Changes the sent fields; `signatures` and `approval` are merged field by field, and null clears a field. If `approval.policyChanges` is set, a change that loosens a rule requires an approved service action (`managed-wallets`, `policy.update`, input: the body with the `walletId`) by the approvers that the policy names.",
  scope: "approvals:write",
  service: "managed-wallets",
  stepUp: true,
  idempotent: true,
  approval: {
    operationId: "policy.update",
    input: PolicyAction,
    summarize: async ({ input, caller, db }) => {
      const wallet = await readWallet(db, caller, input.walletId);
      return `Loosen the policy of wallet ${wallet.label} (${wallet.address}): ${changesInWords(wallet, input)}.`;
    },
    changes: async ({ input, caller, db }) => {
      const { policy } = await readWallet(db, caller, input.walletId);
      return changesOf(policy, input);
    },
    rule: async ({ input, caller, db }) => (await readWallet(db, caller, input.walletId)).policy.approval,
  },
  params: WalletParams,
  query: z.object({
    approvalId: z
      .string()
      .max(200)
      .optional()
      .meta({
        description: "The approval of the service action, if the change requires one.",
        examples: [exampleId("approval")],
      }),
  }),
  body: UpdatePolicy,
  output: z.object({ wallet: Wallet }),
  errors: ["not_found", "state_conflict", "approval_required"],
  examples: { body: { ifVersion: 1, dailyLimitUsd: "500", approval: { aboveUsd: "100" } } },

  async handler({ params, query, body, caller, db }) {
    const { ifVersion, ...changes } = body;
    await lockWallet(db, await readWallet(db, caller, params.walletId));
    const wallet = await readWallet(db, caller, params.walletId);
    if (wallet.policyVersion !== ifVersion)
      throw new ApiError(
        "state_conflict",
        `The policy is at version ${wallet.policyVersion}, not ${ifVersion}. Read it, and send the change for that one.`,
      );
    const policy = mergePolicy(wallet.policy, changes);
    checkPolicy(policy, "body");
    if (
      wallet.policy.approval.policyChanges &&
      isLooser(wallet.policy, policy, platform().settings.networkFees)
    ) {
      const input = { walletId: params.walletId, ...body };
      const action = { serviceId: "managed-wallets", operationId: "policy.update", input };
      await consumeApproval(db, { ...serviceActionUse({ ...action, approvalId: query.approvalId }), caller });
    } else if (query.approvalId !== undefined) {
      throw unneeded("query.approvalId", "This change of the policy");
    }
    const policyVersion = wallet.policyVersion + 1;
    const { accountId, projectId, endUserId, id } = wallet;
    await db
      .update(wallets)
      .set({ policy, policyVersion })
      .where(and(eq(wallets.accountId, accountId), eq(wallets.id, id)));
    const changed = toWallet({ ...wallet, policy, policyVersion });
    await emitEvent(db, {
      type: "wallet.policy.updated",
      accountId,
      projectId,
      endUserId,
      resource: id,
      data: { wallet: changed },
    });
    return { wallet: changed };
  },
});

/** Returns the changes in words: `dailyLimitUsd from 500 to 1000, approval.always from true to false`. */
function changesInWords({ policy }: WalletRow, action: PolicyAction): string {
  const words = changesOf(policy, action).map(
    ({ name, before, after }) => `${name} from ${before} to ${after}`,
  );
  return words.join(", ") || "nothing changes";
}

/** Returns the fields that a change gives another value, in words. */
function changesOf(
  policy: WalletRow["policy"],
  { walletId: _, ifVersion: __, ...changes }: PolicyAction,
): { name: string; before: string; after: string }[] {
  const [before, after] = [flattened(policy), flattened(mergePolicy(policy, changes as PolicyChanges))];
  return Object.entries(after).flatMap(([name, value]) =>
    before[name] === value ? [] : [{ name, before: before[name] ?? "", after: value }],
  );
}

type Flat = Record<string, string>;

function flattened(policy: WalletRow["policy"]): Flat {
  const { signatures, approval, ...rules } = policy;
  const nested = [
    ...Object.entries(signatures).map(([name, value]) => [`signatures.${name}`, value] as const),
    ...Object.entries(approval).map(([name, value]) => [`approval.${name}`, value] as const),
  ];
  const inWords = (value: unknown) => (value === null ? "no restriction" : JSON.stringify(value));
  return Object.fromEntries(
    [...Object.entries(rules), ...nested].map(([name, value]) => [name, inWords(value)]),
  );
}
