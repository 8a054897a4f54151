import type { Address } from "viem";
import { expect, test } from "vitest";
import type { Effect } from "../effects.ts";
import { type DecisionInput, decide } from "./decide.ts";
import { OPEN_POLICY, type PolicyRules } from "./schema.ts";

const ADA = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const BOB = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const USD = "0x1111111111111111111111111111111111111111";
const ODD = "0x4444444444444444444444444444444444444444";

const ASSETS: Record<string, { symbol: string; decimals: number; priceUsd: string | null }> = {
  native: { symbol: "ETH", decimals: 18, priceUsd: "2000.5" },
  [USD]: { symbol: "USD", decimals: 6, priceUsd: "1" },
  [ODD]: { symbol: "ODD", decimals: 18, priceUsd: null },
};

const SEND: Effect = {
  type: "transfer",
  asset: USD,
  amount: 250_000_000n,
  recipient: ADA,
  contract: USD,
  method: "transfer(address,uint256)",
};
const ETHER: Effect = { ...SEND, asset: "native", amount: 10n ** 18n, contract: null, method: null };
const ALLOW: Effect = { ...SEND, type: "allowance", method: "approve(address,uint256)" };
const ALL: Effect = { ...ALLOW, amount: "unlimited" };
const UNKNOWN: Effect = {
  type: "unknown",
  asset: null,
  amount: 0n,
  recipient: null,
  contract: ODD,
  method: "0xdeadbeef",
};
const CANCEL: Effect = {
  type: "call",
  asset: USD,
  amount: 0n,
  recipient: null,
  contract: USD,
  method: "CancelAuthorization",
};
const PERMIT: Effect = { ...ALLOW, contract: USD, method: "Permit" };

const MESSAGE = { kind: "message" } as const;
const TYPED = { kind: "typed_data", contract: USD, primaryType: "Permit" } as const;
const TYPED_UNKNOWN = { kind: "typed_data", contract: ODD, primaryType: "Order" } as const;

function judged(rules: Partial<PolicyRules>, effects: Effect[], more: Partial<DecisionInput> = {}) {
  return decide({
    rules: { ...OPEN_POLICY, ...rules },
    frozen: false,
    network: "eip155:31337",
    effects,
    assets: (asset) => ASSETS[String(asset)] ?? null,
    usedUsd: "0",
    ...more,
  });
}

const signatures = (rules: Partial<PolicyRules["signatures"]>) => ({
  signatures: { ...OPEN_POLICY.signatures, ...rules },
});
const approval = (rules: Partial<PolicyRules["approval"]>) => ({
  approval: { ...OPEN_POLICY.approval, ...rules },
});
const calls = (address: Address, methods: string[] | null) => ({ allowedContracts: [{ address, methods }] });

const feesOf = (...mostUsd: (string | null)[]) => ({
  fees: { mostUsd, usedUsd: "0", installation: { maxNetworkFeeUsd: "25", dailyNetworkFeeUsd: "100" } },
});

// biome-ignore format: a table
const CASES: [name: string, decision: "allow" | "approval" | "deny", rules: Partial<PolicyRules>, effects: Effect[], more?: Partial<DecisionInput>][] = [
  ["everything under an open policy", "allow", {}, [SEND, ETHER, ALL, UNKNOWN]],
  ["nothing from a frozen wallet", "deny", {}, [SEND], { frozen: true }],
  ["nothing signed by a frozen wallet", "deny", {}, [], { frozen: true, signature: MESSAGE }],

  ["a transaction that meets its cap exactly", "allow", { maxPerTransactionUsd: "250" }, [SEND]],
  ["a transaction a millionth of a dollar above its cap", "deny", { maxPerTransactionUsd: "249.999999" }, [SEND]],
  ["effects that pass the cap together", "deny", { maxPerTransactionUsd: "499" }, [SEND, SEND]],
  ["another asset by its price", "allow", { maxPerTransactionUsd: "2000.5" }, [ETHER]],
  ["another asset above its price", "deny", { maxPerTransactionUsd: "2000.49" }, [ETHER]],
  ["an allowance as its amount", "deny", { maxPerTransactionUsd: "249" }, [ALLOW]],
  ["an allowance of any amount under a cap", "deny", { maxPerTransactionUsd: "1000000000" }, [ALL]],
  ["a signed permit as its amount", "deny", { maxPerTransactionUsd: "249" }, [PERMIT], { signature: TYPED }],
  ["a cap of nothing", "deny", { maxPerTransactionUsd: "0" }, [SEND]],
  ["an amount of nothing under a cap of nothing", "allow", { maxPerTransactionUsd: "0" }, [{ ...ALLOW, amount: 0n }]],

  ["a cancelled authorization of a listed token", "allow", { dailyLimitUsd: "0" }, [CANCEL], { signature: TYPED }],
  ["a cancelled authorization of any other contract", "deny", { dailyLimitUsd: "0" }, [{ ...CANCEL, asset: "0x5555555555555555555555555555555555555555" }], { signature: TYPED_UNKNOWN }],

  ["a network's fee that meets the limit for one", "allow", { maxNetworkFeeUsd: "0.5" }, [SEND], feesOf("0.5", "0.5")],
  ["a network's fee above the limit for one", "deny", { maxNetworkFeeUsd: "0.5" }, [SEND], feesOf("0.500001")],
  ["a network's fee above the installation's limit for one", "deny", {}, [SEND], feesOf("25.01")],
  ["a network's fee that a policy allows beyond the installation", "allow", { maxNetworkFeeUsd: "30" }, [SEND], feesOf("25.01")],
  ["networks' fees that pass the installation's day together", "deny", {}, [SEND], feesOf("20", "20", "20", "20", "20.01")],
  ["networks' fees that pass the day's limit with the paid fees", "deny", { dailyNetworkFeeUsd: "3" }, [SEND], { fees: { ...feesOf("1").fees, usedUsd: "2.1" } }],
  ["a network's fee without a price, by the installation's limits", "allow", {}, [SEND], feesOf(null)],
  ["a network's fee without a price, by a limit of the policy", "deny", { dailyNetworkFeeUsd: "3" }, [SEND], feesOf(null)],

  ["an amount that meets the day's limit exactly", "allow", { dailyLimitUsd: "1000" }, [SEND], { usedUsd: "750" }],
  ["an amount that passes the day's limit", "deny", { dailyLimitUsd: "1000" }, [SEND], { usedUsd: "750.000001" }],
  ["an allowance of any amount under a daily limit", "deny", { dailyLimitUsd: "1000000000" }, [ALL]],
  ["an asset without a price under a limit", "deny", { dailyLimitUsd: "1000" }, [{ ...SEND, asset: ODD, contract: ODD }]],
  ["an asset nobody knows under a limit", "deny", { dailyLimitUsd: "1000" }, [{ ...SEND, asset: BOB, contract: BOB }]],
  ["an asset without a price where nothing is limited", "allow", {}, [{ ...SEND, asset: ODD, contract: ODD }]],

  ["a network that is listed", "allow", { allowedNetworks: ["eip155:31337"] }, [SEND]],
  ["a network that is not listed", "deny", { allowedNetworks: ["eip155:1"] }, [SEND]],
  ["any network where none is listed", "deny", { allowedNetworks: [] }, [SEND]],
  ["typed data bound to no network, which holds on all", "deny", { allowedNetworks: ["eip155:31337"] }, [PERMIT], { signature: TYPED, network: null }],
  ["typed data that is bound to no network where some are listed", "deny", { allowedNetworks: ["eip155:31337"] }, [PERMIT], { signature: TYPED, network: null }],
  ["a message, which has no network", "allow", { allowedNetworks: [] }, [], { signature: MESSAGE, network: null }],

  ["an asset that is listed", "allow", { allowedAssets: [USD] }, [SEND]],
  ["the native asset where it is not listed", "deny", { allowedAssets: [USD] }, [ETHER]],
  ["an allowance of an asset that is not listed", "deny", { allowedAssets: ["native"] }, [ALLOW]],

  ["a recipient that is listed, in whatever case", "allow", { allowedRecipients: ["0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc"] }, [SEND]],
  ["a recipient that is not listed", "deny", { allowedRecipients: [BOB] }, [SEND]],
  ["a spender that is not listed", "deny", { allowedRecipients: [BOB] }, [ALLOW]],
  ["an allowance of any amount for a listed spender", "allow", { allowedRecipients: [ADA] }, [ALL]],
  ["one of two recipients that is not listed", "deny", { allowedRecipients: [ADA] }, [SEND, { ...SEND, recipient: BOB }]],

  ["a plain send whatever contracts are listed", "allow", { allowedContracts: [] }, [SEND]],
  ["a method that is listed by its signature", "allow", calls(USD, ["approve(address,uint256)"]), [ALLOW]],
  ["a method that is listed by its name", "allow", calls(USD, ["approve"]), [ALLOW]],
  ["a method that is listed by its selector", "allow", calls(USD, ["0x095ea7b3"]), [ALLOW]],
  ["any method of a contract listed without methods", "allow", calls(USD, null), [ALLOW]],
  ["another method of a listed contract", "deny", calls(USD, ["transferFrom"]), [ALLOW]],
  ["a method whose name only begins like a listed one", "deny", calls(USD, ["app"]), [ALLOW]],
  ["a contract that is not listed", "deny", calls(ODD, null), [ALLOW]],

  ["undecodable calldata under a cap", "deny", { dailyLimitUsd: "1000" }, [UNKNOWN]],
  ["undecodable calldata under a list of recipients", "deny", { allowedRecipients: [ADA] }, [UNKNOWN]],
  ["undecodable calldata under an approval threshold", "deny", approval({ aboveUsd: "1" }), [UNKNOWN]],
  ["undecodable calldata of a listed contract and method", "allow", { dailyLimitUsd: "1000", ...calls(ODD, ["0xDEADBEEF"]) }, [UNKNOWN]],
  ["undecodable calldata of another method", "deny", { dailyLimitUsd: "1000", ...calls(ODD, ["0x00000001"]) }, [UNKNOWN]],

  ["a message by default", "allow", {}, [], { signature: MESSAGE, network: null }],
  ["a message where the policy lets none be signed", "deny", signatures({ messages: false }), [], { signature: MESSAGE, network: null }],
  ["typed data of a listed contract", "allow", signatures({ typedDataContracts: [USD] }), [PERMIT], { signature: TYPED }],
  ["typed data of another contract", "deny", signatures({ typedDataContracts: [ODD] }), [PERMIT], { signature: TYPED }],
  ["typed data of no contract", "deny", signatures({ typedDataContracts: [USD] }), [], { signature: { ...TYPED, contract: null } }],
  ["undecodable typed data under a cap", "deny", { dailyLimitUsd: "1" }, [UNKNOWN], { signature: TYPED_UNKNOWN }],
  ["undecodable typed data of a listed contract under a cap", "allow", { dailyLimitUsd: "1", ...signatures({ typedDataContracts: [ODD] }) }, [UNKNOWN], { signature: TYPED_UNKNOWN }],
  ["typed data whatever calls are allowed", "allow", { allowedContracts: [] }, [PERMIT], { signature: TYPED }],

  ["an amount that meets the approval threshold exactly", "allow", approval({ aboveUsd: "250" }), [SEND]],
  ["an amount above the approval threshold", "approval", approval({ aboveUsd: "249.99" }), [SEND]],
  ["an allowance of any amount under a threshold", "approval", approval({ aboveUsd: "1000000" }), [ALL]],
  ["an asset without a price under a threshold", "approval", approval({ aboveUsd: "1" }), [{ ...SEND, asset: ODD, contract: ODD }]],
  ["everything where everything is approved", "approval", approval({ always: true }), [{ ...SEND, amount: 0n }]],
  ["a message where everything is approved", "approval", approval({ always: true }), [], { signature: MESSAGE, network: null }],
  ["a send that would need an approval and is denied", "deny", { ...approval({ always: true }), maxPerTransactionUsd: "1" }, [SEND]],
];

test.for(CASES)("judges %s: %s", ([_, decision, rules, effects, more]) => {
  expect(judged(rules, effects, more).decision).toBe(decision);
});

test("gives all reasons of a denial at once, in words, and none for an allowed send", () => {
  const rules: Partial<PolicyRules> = {
    maxPerTransactionUsd: "100",
    dailyLimitUsd: "300",
    allowedRecipients: [BOB],
  };
  expect(judged(rules, [SEND], { usedUsd: "60" })).toEqual({
    decision: "deny",
    reasons: [
      `${ADA} is not among the allowed recipients.`,
      "250 USD is more than the 100 USD that one transaction may spend.",
      "250 USD does not fit into today's limit of 300 USD, of which 60 USD is spent or promised.",
    ],
    valueUsd: "250",
  });
  expect(judged({}, [SEND])).toEqual({ decision: "allow", reasons: [], valueUsd: "250" });
});

test("counts the smallest fraction of a dollar, and never less than a thing is worth", () => {
  expect(judged({}, [{ ...ETHER, amount: 1n }]).valueUsd).toBe("0.000000000000002001");
});
