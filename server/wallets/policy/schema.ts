import { z } from "zod";
import { APPROVAL_LIMITS } from "#server/approvals/schema.ts";
import { address, asset, decimalAmount, network } from "#server/chains/schema.ts";

const MAX_ITEMS = 200;
const list = <Item extends z.ZodType>(item: Item) => z.array(item).max(MAX_ITEMS, `At most ${MAX_ITEMS}.`);

// A second pattern would become an `allOf`, which generators turn into `unknown & unknown`.
const usd = decimalAmount
  .max(40)
  .refine((text) => /^\d+(\.\d{1,18})?$/.test(text), "At most 18 decimal places.")
  .meta({ description: "US dollars, as decimal text with at most 18 decimal places.", examples: ["250"] });

const method = z
  .string()
  .max(300)
  .regex(
    /^(0x[0-9a-fA-F]{8}|[A-Za-z_$][\w$]*(\([\w,()[\]]*\))?)$/,
    "Send a signature like transfer(address,uint256), a name, or a selector of four bytes.",
  )
  .meta({
    description:
      "A function's signature, its name alone (every overload), its selector, or the primary type of typed data.",
    examples: ["transfer(address,uint256)"],
  });

const approver = z
  .string()
  .max(60)
  .regex(/^(mbr|key)_[0-7][0-9a-hjkmnp-tv-z]{25}$/, "Send the id of a member (mbr_) or of a key (key_).")
  .meta({ examples: ["mbr_01jz4w1n9vf5ha3kqcx8y2r7te"] });

const RULES = {
  maxPerTransactionUsd: "The maximum that one transaction or signature may spend; it may be met exactly.",
  dailyLimitUsd: "The maximum that may be spent in one UTC day; it may be met exactly.",
  maxNetworkFeeUsd:
    "The maximum network fee of one transaction, replacements with higher fees included; null: the installation's limit.",
  dailyNetworkFeeUsd:
    "The maximum network fees of one UTC day; each counts at its maximum until its transaction is in a block, and then as paid; null: the installation's limit.",
  allowedNetworks: "The chains that may be used; null: all.",
  allowedAssets: "The assets that may be spent; null: all.",
  allowedRecipients: "Who may be sent or allowed anything; null: everyone.",
  allowedContracts:
    "The contracts that may be called, and their methods; null: all. A plain `transfer` of a token is a send, which assets and recipients govern.",
  messages: "Whether messages (EIP-191) may be signed.",
  typedDataContracts: "The verifying contracts whose typed data (EIP-712) may be signed; null: all.",
  aboveUsd: "Spending more than this needs an approval; null: no amount does.",
  always: "Whether everything needs an approval.",
  requiredApprovals: "The required number of distinct approvers.",
  initiatorMayApprove: "Whether the requester may decide too.",
  approvers: "Ids of the members and keys that may decide; null: everyone with the scope.",
  policyChanges: "Whether loosening this policy needs an approval too.",
  expiresInSeconds: "How long an approval waits for its decision.",
} as const;

const contractRule = z
  .strictObject({
    address,
    methods: list(method).nullable().describe("The allowed methods; null allows all."),
  })
  .meta({ id: "ContractRule" });

const approvalCount = z.int().min(1, "At least 1.").max(APPROVAL_LIMITS.maximumRequired);
const approvalSeconds = z
  .int()
  .min(APPROVAL_LIMITS.minimumSeconds, `At least ${APPROVAL_LIMITS.minimumSeconds}.`)
  .max(APPROVAL_LIMITS.maximumSeconds, `At most ${APPROVAL_LIMITS.maximumSeconds}, seven days.`);

/** The policy of a wallet, as responses show it. */
export const Policy = z
  .object({
    version: z.int().describe("The version of the policy, from 1; every change adds one."),
    maxPerTransactionUsd: usd.nullable().describe(RULES.maxPerTransactionUsd),
    dailyLimitUsd: usd.nullable().describe(RULES.dailyLimitUsd),
    maxNetworkFeeUsd: usd.nullable().describe(RULES.maxNetworkFeeUsd),
    dailyNetworkFeeUsd: usd.nullable().describe(RULES.dailyNetworkFeeUsd),
    allowedNetworks: z.array(network).nullable().describe(RULES.allowedNetworks),
    allowedAssets: z.array(asset).nullable().describe(RULES.allowedAssets),
    allowedRecipients: z.array(address).nullable().describe(RULES.allowedRecipients),
    allowedContracts: z
      .array(
        z.object({
          address: address,
          methods: z.array(method).nullable().describe("The allowed methods; null allows all."),
        }),
      )
      .nullable()
      .describe(RULES.allowedContracts),
    signatures: z
      .object({
        messages: z.boolean().describe(RULES.messages),
        typedDataContracts: z.array(address).nullable().describe(RULES.typedDataContracts),
      })
      .describe("The rules for signatures other than of transactions."),
    approval: z
      .object({
        aboveUsd: usd.nullable().describe(RULES.aboveUsd),
        always: z.boolean().describe(RULES.always),
        requiredApprovals: z.int().describe(RULES.requiredApprovals),
        initiatorMayApprove: z.boolean().describe(RULES.initiatorMayApprove),
        approvers: z.array(approver).nullable().describe(RULES.approvers),
        policyChanges: z.boolean().describe(RULES.policyChanges),
        expiresInSeconds: z.int().describe(RULES.expiresInSeconds),
      })
      .describe("The rules for approvals by people."),
  })
  .meta({
    id: "WalletPolicy",
    description:
      "The rules for a wallet. A denial overrides everything else; null is no restriction, and an empty list allows nothing.",
  });

/** The rules without their version, as they are stored. */
export type PolicyRules = Omit<z.output<typeof Policy>, "version">;

/** The default rules of a wallet. */
export const OPEN_POLICY: PolicyRules = {
  maxPerTransactionUsd: null,
  dailyLimitUsd: null,
  maxNetworkFeeUsd: null,
  dailyNetworkFeeUsd: null,
  allowedNetworks: null,
  allowedAssets: null,
  allowedRecipients: null,
  allowedContracts: null,
  signatures: { messages: true, typedDataContracts: null },
  approval: {
    aboveUsd: null,
    always: false,
    requiredApprovals: 1,
    initiatorMayApprove: false,
    approvers: null,
    policyChanges: false,
    expiresInSeconds: APPROVAL_LIMITS.defaultSeconds,
  },
};

/** The rules that a caller sends: omitted fields stay unchanged, null clears a field. */
export const policyFields = {
  maxPerTransactionUsd: usd.nullable().optional().describe(RULES.maxPerTransactionUsd),
  dailyLimitUsd: usd.nullable().optional().describe(RULES.dailyLimitUsd),
  maxNetworkFeeUsd: usd.nullable().optional().describe(RULES.maxNetworkFeeUsd),
  dailyNetworkFeeUsd: usd.nullable().optional().describe(RULES.dailyNetworkFeeUsd),
  allowedNetworks: list(network).nullable().optional().describe(RULES.allowedNetworks),
  allowedAssets: list(asset).nullable().optional().describe(RULES.allowedAssets),
  allowedRecipients: list(address).nullable().optional().describe(RULES.allowedRecipients),
  allowedContracts: list(contractRule).nullable().optional().describe(RULES.allowedContracts),
  signatures: z
    .strictObject({
      messages: z.boolean().optional().describe(RULES.messages),
      typedDataContracts: list(address).nullable().optional().describe(RULES.typedDataContracts),
    })
    .meta({ id: "SignatureRules" })
    .nullable()
    .optional()
    .describe("The rules for signatures other than of transactions; merged field by field."),
  approval: z
    .strictObject({
      aboveUsd: usd.nullable().optional().describe(RULES.aboveUsd),
      always: z.boolean().optional().describe(RULES.always),
      requiredApprovals: approvalCount.optional().describe(RULES.requiredApprovals),
      initiatorMayApprove: z.boolean().optional().describe(RULES.initiatorMayApprove),
      approvers: list(approver).nullable().optional().describe(RULES.approvers),
      policyChanges: z.boolean().optional().describe(RULES.policyChanges),
      expiresInSeconds: approvalSeconds.optional().describe(RULES.expiresInSeconds),
    })
    .meta({ id: "ApprovalRules" })
    .nullable()
    .optional()
    .describe("The rules for approvals by people; merged field by field."),
};

export const PolicyChanges = z.strictObject(policyFields).meta({ id: "WalletPolicyChanges" });
export type PolicyChanges = z.output<typeof PolicyChanges>;

/** Returns the rules after a change: `signatures` and `approval` merge field by field, all others are replaced. */
export function mergePolicy(before: PolicyRules, changes: PolicyChanges): PolicyRules {
  const { signatures, approval, ...rules } = changes;
  return {
    ...before,
    ...sent(rules),
    signatures: signatures === null ? OPEN_POLICY.signatures : { ...before.signatures, ...sent(signatures) },
    approval: approval === null ? OPEN_POLICY.approval : { ...before.approval, ...sent(approval) },
  };
}

/** Returns the fields that were sent, including null ones. */
function sent<Fields extends object>(fields: Fields | undefined) {
  return Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]: Exclude<Fields[Name], undefined>;
  };
}
