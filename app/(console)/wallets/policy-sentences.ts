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

/** Returns one sentence for each field of a policy, which says what its current value means. */
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
      ? `What spends more than ${usd(maxPerTransactionUsd)} at once is denied.`
      : "One transaction may spend any amount.",
    dailyLimitUsd: dailyLimitUsd
      ? `What would bring a UTC day above ${usd(dailyLimitUsd)} is denied.`
      : "A day may spend any amount.",
    maxNetworkFeeUsd: maxNetworkFeeUsd
      ? `What the network may take more than ${usd(maxNetworkFeeUsd)} for is denied.`
      : "The network may take what this installation allows.",
    dailyNetworkFeeUsd: dailyNetworkFeeUsd
      ? `What would bring the network fees of a UTC day above ${usd(dailyNetworkFeeUsd)} is denied.`
      : "In a day networks may take what this installation allows.",
    allowedRecipients: by("allowedRecipients", {
      all: "Everyone may be sent something.",
      some: ({ length }) => `Only ${these(length, "recipient")} may be sent something.`,
      none: "Nobody may be sent anything.",
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
    messages: values.messages ? "Texts may be signed as they are sent." : "No message may be signed.",
    typedDataContracts: by("typedDataContracts", {
      all: "Typed data of every contract may be signed.",
      some: ({ length }) => `Only typed data of ${these(length, "contract")} may be signed.`,
      none: "No typed data may be signed.",
    }),
    aboveUsd: aboveUsd
      ? `What spends more than ${usd(aboveUsd)} waits for an approval.`
      : "No amount by itself needs an approval.",
    always: values.always
      ? "Whatever the policy does not deny waits for an approval."
      : "What stays below the amount goes out at once.",
    requiredApprovals:
      approvers === 1
        ? "One person or key has to approve."
        : `${approvers} different people or keys have to approve.`,
    initiatorMayApprove: values.initiatorMayApprove
      ? "One of them may be the one who asked."
      : "None of them is the one who asked.",
    policyChanges: values.policyChanges
      ? "A change that allows more waits for an approval."
      : "A change that allows more holds at once.",
  };
}
