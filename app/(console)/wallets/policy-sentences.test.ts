import { expect, test } from "vitest";
import { policySentences } from "./policy-sentences.ts";
import { initialPolicy } from "./policy-values.ts";

const names = {
  network: (id: string) => (id === "eip155:8453" ? "Base" : id),
  asset: (asset: string) => (asset === "native" ? "ETH" : asset),
};

test("says of each field of an empty policy that it restricts nothing", () => {
  expect(policySentences(initialPolicy(), names)).toMatchObject({
    maxPerTransactionUsd: "One transaction may spend any amount.",
    allowedRecipients: "Every recipient is allowed.",
    allowedNetworks: "Every network may be used.",
    allowedContracts: "Every contract may be called, by every method.",
    aboveUsd: "No amount requires an approval.",
    requiredApprovals: "One person or key must approve.",
  });
});

test("describes the restrictions of a policy with names and numbers", () => {
  const values = {
    ...initialPolicy(),
    dailyLimitUsd: "12000.5",
    allowedNetworks: ["eip155:8453", "eip155:1", "eip155:10"],
    allowedAssets: ["native", "0xUSD"],
    allowedRecipients: ["0x1"],
    aboveUsd: "100",
    requiredApprovals: 2,
  };
  expect(policySentences(values, names)).toMatchObject({
    dailyLimitUsd: "Transactions that bring a UTC day above 12,000.5 USD are denied.",
    allowedNetworks: "Only Base, eip155:1 and eip155:10 may be used.",
    allowedAssets: "Only ETH and 0xUSD may be spent.",
    allowedRecipients: "Only this recipient is allowed.",
    aboveUsd: "Spending more than 100 USD at once waits for an approval.",
    requiredApprovals: "2 different people or keys must approve.",
  });
});

test("does not call a list open that allows nothing", () => {
  const values = {
    ...initialPolicy(),
    closed: ["allowedRecipients" as const, "typedDataContracts" as const],
  };
  expect(policySentences(values, names)).toMatchObject({
    allowedRecipients: "No recipient is allowed.",
    allowedAssets: "Every asset may be spent.",
    typedDataContracts: "No typed data may be signed.",
  });
});
