import type { ListName, PolicyValues } from "#app/(console)/wallets/policy-values.ts";
import { groupDigits } from "#components/ui/digits.ts";

type Names = {
  network: (id: string) => string;
  asset: (asset: string) => string;
};

const usd = (amount: string) => `${groupDigits(amount.trim())} USD`;

/** Joins words into a list: `ETH`, `ETH and USD`, `ETH, USD and DAI`. */
function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

const these = (count: number, one: string) => (count === 1 ? `this ${one}` : `these ${count} ${one}s`);

/** Returns one sentence for each field of a policy, which explains its current value. */
export function policySentences(values: PolicyValues, names: Names) {
  const { maxPerTransactionUsd, dailyLimitUsd, maxNetworkFeeUsd, dailyNetworkFeeUsd, aboveUsd } = values;
  /** Chooses the sentence for a list: all allowed, some allowed, or none allowed. */
  const by = (name: ListName, said: { all: string; some: (items: string[]) => string; none: string }) => {
    if (values[name].length > 0) return said.some(values[name]);
    return values.closed.includes(name) ? said.none : said.all;
  };
  const approvers = values.requiredApprovals ?? 1;
  return {
    maxPerTransactionUsd: maxPerTransactionUsd
      ? `Spending more than ${usd(maxPerTransactionUsd)} at once is denied.`
      : "One transaction may spend any amount.",
    dailyLimitUsd: dailyLimitUsd
      ? `Transactions that bring a UTC day above ${usd(dailyLimitUsd)} are denied.`
      : "Any amount may be spent in a day.",
    maxNetworkFeeUsd: maxNetworkFeeUsd
      ? `Transactions with a maximum network fee above ${usd(maxNetworkFeeUsd)} are denied.`
      : "This installation's limit of network fees applies.",
    dailyNetworkFeeUsd: dailyNetworkFeeUsd
      ? `Transactions that bring the network fees of a UTC day above ${usd(dailyNetworkFeeUsd)} are denied.`
      : "This installation's daily limit of network fees applies.",
    allowedRecipients: by("allowedRecipients", {
      all: "Every recipient is allowed.",
      some: ({ length }) => `Only ${these(length, "recipient")} ${length === 1 ? "is" : "are"} allowed.`,
      none: "No recipient is allowed.",
    }),
    allowedAssets: by("allowedAssets", {
      all: "Every asset may be spent.",
      some: (assets) => `Only ${listed(assets.map(names.asset))} may be spent.`,
      none: "No asset may be spent.",
    }),
    allowedNetworks: by("allowedNetworks", {
      all: "Every network may be used.",
      some: (networks) => `Only ${listed(networks.map(names.network))} may be used.`,
      none: "No network may be used.",
    }),
    allowedContracts: by("allowedContracts", {
      all: "Every contract may be called, by every method.",
      some: ({ length }) => `Only ${these(length, "contract")} may be called; a plain send calls none.`,
      none: "No contract may be called; a plain send calls none.",
    }),
    messages: values.messages ? "Every message may be signed." : "No message may be signed.",
    typedDataContracts: by("typedDataContracts", {
      all: "Typed data of every contract may be signed.",
      some: ({ length }) => `Only typed data of ${these(length, "contract")} may be signed.`,
      none: "No typed data may be signed.",
    }),
    aboveUsd: aboveUsd
      ? `Spending more than ${usd(aboveUsd)} at once waits for an approval.`
      : "No amount requires an approval.",
    always: values.always
      ? "Every transaction that the policy does not deny waits for an approval."
      : "Transactions up to the amount are sent at once.",
    requiredApprovals:
      approvers === 1
        ? "One person or key must approve."
        : `${approvers} different people or keys must approve.`,
    initiatorMayApprove: values.initiatorMayApprove
      ? "The requester may be one of them."
      : "The requester may not be one of them.",
    policyChanges: values.policyChanges
      ? "A change that allows more waits for an approval."
      : "A change that allows more takes effect at once.",
  };
}
