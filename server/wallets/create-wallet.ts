import { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { wallets } from "#db/schema/wallets.ts";
import { defined } from "#server/base/defined.ts";
import { newId } from "#server/base/ids.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { assignmentOf, ensureEndUser } from "#server/operation/tenancy.ts";
import { callVault } from "./call-vault.ts";
import { checkPolicy } from "./policy/check-policy.ts";
import { mergePolicy, OPEN_POLICY } from "./policy/schema.ts";
import { toWallet } from "./queries.ts";
import { CreateWallet, Wallet } from "./schema.ts";
import { keyContext, withNewKey } from "./signer.ts";

export const createWallet = operation({
  id: "wallets.create",
  method: "POST",
  path: "/wallets",
  summary: "Create a wallet",
  description:
    "Creates a key that never leaves the platform; it controls the same address on every EVM chain. `policy` restricts the wallet from the start.",
  scope: "wallets:create",
  service: "managed-wallets",
  idempotent: true,
  // A key management service may be asked to seal the key.
  external: true,
  body: CreateWallet,
  output: z.object({ wallet: Wallet }),
  status: 201,
  errors: ["end_user_not_allowed", "service_unavailable"],
  examples: { body: { label: "Treasury", policy: { dailyLimitUsd: "1000" } } },

  async handler({ body, caller, commit }) {
    refuseOtherEndUser(caller, body.endUser);
    const policy = mergePolicy(OPEN_POLICY, body.policy ?? {});
    checkPolicy(policy, "body.policy");
    const { accountId } = caller;
    const { owner, kekId, sealed } = await withNewKey(async (key, address) => {
      const owner = { accountId, id: newId("wallet"), address };
      return { owner, ...(await callVault((vault) => vault.seal(key, keyContext(owner)))) };
    });
    return commit(async (tx) => {
      const [row] = await tx
        .insert(wallets)
        .values({
          ...(await assignmentFor(tx, caller, body.endUser)),
          ...owner,
          label: body.label,
          status: "active",
          policy,
          kekId,
          sealedKey: sealed,
        })
        .returning();
      const created = defined(row);
      const { projectId, endUserId } = created;
      const endUser = caller.endUser?.externalId ?? body.endUser ?? null;
      const wallet = toWallet({ ...created, policy, endUser });
      await emitEvent(tx, {
        type: "wallet.created",
        accountId,
        projectId,
        endUserId,
        resource: owner.id,
        data: { wallet },
      });
      return { wallet };
    });
  },
});

function refuseOtherEndUser({ endUser }: Caller, wanted: string | null | undefined): void {
  if (!endUser || wanted === undefined || wanted === endUser.externalId) return;
  throw new ApiError(
    "end_user_not_allowed",
    `The call acts for end user ${JSON.stringify(endUser.externalId)} and makes wallets for no other. Leave endUser out.`,
  );
}

async function assignmentFor(tx: Transaction, caller: Caller, endUser: string | null | undefined) {
  const assignment = await assignmentOf(tx, caller);
  if (caller.endUser || !endUser) return assignment;
  return { ...assignment, endUserId: await ensureEndUser(tx, caller.accountId, endUser) };
}
