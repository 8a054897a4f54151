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
    allowedRecipients: "Everyone may be sent something.",
    allowedNetworks: "Every network may be used.",
    allowedContracts: "Every contract may be called, by every method.",
    aboveUsd: "No amount by itself needs an approval.",
    requiredApprovals: "One person or key has to approve.",
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
    dailyLimitUsd: "What would bring a UTC day above 12,000.5 USD is denied.",
    allowedNetworks: "Only Base, eip155:1 and eip155:10 may be used.",
    allowedAssets: "Only ETH and 0xUSD may be spent.",
    allowedRecipients: "Only this recipient may be sent something.",
    aboveUsd: "What spends more than 100 USD waits for an approval.",
    requiredApprovals: "2 different people or keys have to approve.",
  });
});

test("does not call a list open that allows nothing", () => {
  const values = {
    ...initialPolicy(),
    closed: ["allowedRecipients" as const, "typedDataContracts" as const],
  };
  expect(policySentences(values, names)).toMatchObject({
    allowedRecipients: "Nobody may be sent anything.",
    allowedAssets: "Every asset may be spent.",
    typedDataContracts: "No typed data may be signed.",
  });
});
