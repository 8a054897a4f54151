import type { Wallet } from "#server/wallets/schema.ts";

type Policy = Wallet["policy"];

const LISTS = [
  "allowedRecipients",
  "allowedAssets",
  "allowedNetworks",
  "allowedContracts",
  "typedDataContracts",
] as const;
export type ListName = (typeof LISTS)[number];

/**
 * The form's values of a policy: an empty text restricts nothing, and neither does an empty list unless `closed` names
 * it.
 */
export type PolicyValues = {
  maxPerTransactionUsd: string;
  dailyLimitUsd: string;
  maxNetworkFeeUsd: string;
  dailyNetworkFeeUsd: string;
  allowedNetworks: string[];
  allowedAssets: string[];
  allowedRecipients: string[];
  allowedContracts: string[];
  messages: boolean;
  typedDataContracts: string[];
  /** The lists that allow nothing while they are empty. */
  closed: ListName[];
  aboveUsd: string;
  always: boolean;
  requiredApprovals: number | null;
  initiatorMayApprove: boolean;
  policyChanges: boolean;
};

/** Stands for an empty list of methods, since the absence of methods stands for all of them. */
const NO_METHOD = "-";

/** Returns the form's initial values: the wallet's own policy, or one that restricts nothing. */
export function initialPolicy(policy?: Policy): PolicyValues {
  const typedDataContracts = policy?.signatures.typedDataContracts;
  const lists = { ...policy, typedDataContracts };
  return {
    maxPerTransactionUsd: policy?.maxPerTransactionUsd ?? "",
    dailyLimitUsd: policy?.dailyLimitUsd ?? "",
    maxNetworkFeeUsd: policy?.maxNetworkFeeUsd ?? "",
    dailyNetworkFeeUsd: policy?.dailyNetworkFeeUsd ?? "",
    allowedNetworks: policy?.allowedNetworks ?? [],
    allowedAssets: policy?.allowedAssets ?? [],
    allowedRecipients: policy?.allowedRecipients ?? [],
    allowedContracts: (policy?.allowedContracts ?? []).map(contractLine),
    messages: policy?.signatures.messages ?? true,
    typedDataContracts: typedDataContracts ?? [],
    closed: LISTS.filter((name) => lists[name]?.length === 0),
    aboveUsd: policy?.approval.aboveUsd ?? "",
    always: policy?.approval.always ?? false,
    requiredApprovals: policy?.approval.requiredApprovals ?? 1,
    initiatorMayApprove: policy?.approval.initiatorMayApprove ?? false,
    policyChanges: policy?.approval.policyChanges ?? false,
  };
}

/** Returns the policy of the form's values, in the API's format. */
export function toPolicy(values: PolicyValues) {
  const contracts = values.allowedContracts.map(contractOf);
  /** Null restricts nothing; an empty list allows nothing. */
  const listed = <Item>(name: ListName, items: Item[]) =>
    items.length > 0 || values.closed.includes(name) ? items : null;
  return {
    maxPerTransactionUsd: values.maxPerTransactionUsd || null,
    dailyLimitUsd: values.dailyLimitUsd || null,
    maxNetworkFeeUsd: values.maxNetworkFeeUsd || null,
    dailyNetworkFeeUsd: values.dailyNetworkFeeUsd || null,
    allowedNetworks: listed("allowedNetworks", values.allowedNetworks),
    allowedAssets: listed("allowedAssets", values.allowedAssets),
    allowedRecipients: listed("allowedRecipients", values.allowedRecipients),
    allowedContracts: listed("allowedContracts", contracts),
    signatures: {
      messages: values.messages,
      typedDataContracts: listed("typedDataContracts", values.typedDataContracts),
    },
    approval: {
      aboveUsd: values.aboveUsd || null,
      always: values.always,
      requiredApprovals: values.requiredApprovals ?? 1,
      initiatorMayApprove: values.initiatorMayApprove,
      policyChanges: values.policyChanges,
    },
  };
}

type Contract = { address: string; methods: string[] | null };

/** Returns a contract and its methods as one text for the form: `0x7099… transfer approve`. */
export function contractLine({ address, methods }: Contract): string {
  return [address, ...(methods?.length === 0 ? [NO_METHOD] : (methods ?? []))].join(" ");
}

/** Returns the contract and methods of a text made by `contractLine`. */
export function contractOf(line: string): Contract {
  const [address = "", ...words] = line.split(/\s+/);
  return { address, methods: words.length === 0 ? null : words.filter((word) => word !== NO_METHOD) };
}

/** Returns each contract once, with the methods of all its entries. */
export function mergedContracts(contracts: readonly Contract[]): Contract[] {
  const byAddress = Map.groupBy(contracts, ({ address }) => address);
  return [...byAddress].map(([address, of]) => {
    const lists = of.flatMap(({ methods }) => (methods ? [methods] : []));
    return { address, methods: lists.length < of.length ? null : [...new Set(lists.flat())] };
  });
}

const OF_SIGNATURES: readonly string[] = ["messages", "typedDataContracts"];
const OF_APPROVAL: readonly string[] = [
  "aboveUsd",
  "always",
  "requiredApprovals",
  "initiatorMayApprove",
  "policyChanges",
];

/** Returns the path of a form field in the policy, by which errors are assigned to it. */
export function pathOf(name: string): string {
  if (OF_SIGNATURES.includes(name)) return `signatures.${name}`;
  return OF_APPROVAL.includes(name) ? `approval.${name}` : name;
}
