import { eq } from "drizzle-orm";
import { encodeFunctionData, erc20Abi } from "viem";
import { expect, test, vi } from "vitest";
import { assetPrices } from "#db/schema/prices.ts";
import { wallets } from "#db/schema/wallets.ts";
import { defined } from "#server/base/defined.ts";
import { startApi } from "#server/testing/api.ts";
import { SILENT_CHAIN, SILENT_USD as USD } from "#server/testing/silent-chain.ts";
import { reserveCap } from "./caps.ts";
import { decodeCall } from "./decode-call.ts";
import { type JudgementInput, judge, readPolicyState } from "./judge.ts";
import { selectWallets, type WalletRow } from "./queries.ts";

const ADA = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const NETWORK = "eip155:31337";

// No node runs at this address: a decision does not call the chain.
const api = await startApi({ settings: { chains: [SILENT_CHAIN] } });
const { db } = api.platform.database;
const [chain] = api.platform.chains.all;

const judgeNow = async (input: JudgementInput) => judge(await readPolicyState(db, input), input);

async function makeWallet(policy: Record<string, unknown>) {
  const { key } = await api.createRootKey();
  const { id } = (await api.send("POST", "/v1/wallets", { key, body: { label: "Judged", policy } })).body
    .wallet;
  return defined((await selectWallets(db)).find((row) => row.id === id));
}

function sendUsd(wallet: WalletRow, amount: bigint) {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [ADA, amount] });
  return decodeCall({ chain: chain as never, from: wallet.address, to: USD, value: 0n, data }).effects;
}

function sendEther(wallet: WalletRow, value: bigint) {
  return decodeCall({ chain: chain as never, from: wallet.address, to: ADA, value, data: "0x" }).effects;
}

async function setPrice(spotUsd: string, averageUsd: string, observedAt = new Date()) {
  const price = { spotUsd, averageUsd, observedAt };
  await db
    .insert(assetPrices)
    .values({ network: NETWORK, asset: "native", ...price })
    .onConflictDoUpdate({ target: [assetPrices.network, assetPrices.asset], set: price });
}

test("sums a send up for the approver, with its share of today's cap", async () => {
  const wallet = await makeWallet({ dailyLimitUsd: "625", approval: { aboveUsd: "100" } });
  expect(await judgeNow({ wallet, network: NETWORK, effects: sendUsd(wallet, 250_000_000n) })).toMatchObject({
    decision: "approval",
    reasons: ["250 USD is more than 100 USD, above which people decide."],
    valueUsd: "250",
    summary: `Send 250 USD to ${ADA}, 40% of today's cap.`,
  });
});

test("reports the approval rules of the policy that decided, not those of an earlier read", async () => {
  const wallet = await makeWallet({ approval: { aboveUsd: "100" } });
  const approval = { ...wallet.policy.approval, requiredApprovals: 2 };
  await db
    .update(wallets)
    .set({ policy: { ...wallet.policy, approval } })
    .where(eq(wallets.id, wallet.id));
  const judged = await judgeNow({ wallet, network: NETWORK, effects: sendUsd(wallet, 250_000_000n) });
  expect(judged.approval.requiredApprovals).toBe(2);
});

test("counts other executions against the day's limit, but not the execution itself", async () => {
  const wallet = await makeWallet({ dailyLimitUsd: "300" });
  await db.transaction((tx) => reserveCap(tx, { wallet, subject: "tx_a", valueUsd: "200" }));
  const ask = { wallet, network: NETWORK, effects: sendUsd(wallet, 200_000_000n) };
  expect((await judgeNow(ask)).decision).toBe("deny");
  expect((await judgeNow({ ...ask, subject: "tx_a" })).decision).toBe("allow");
});

test("values by the higher of spot and average, so that a pushed price lets nothing pass", async () => {
  const wallet = await makeWallet({ maxPerTransactionUsd: "2000" });
  const ask = { wallet, network: NETWORK, effects: sendEther(wallet, 10n ** 18n) };
  await setPrice("1", "2001");
  expect(await judgeNow(ask)).toMatchObject({ decision: "deny", valueUsd: "2001" });
  await setPrice("2001", "1");
  expect(await judgeNow(ask)).toMatchObject({ decision: "deny", valueUsd: "2001" });
  await setPrice("2000", "1999");
  expect(await judgeNow(ask)).toMatchObject({ decision: "allow", valueUsd: "2000" });
});

test("takes a price that nobody has confirmed for ten minutes for none", async () => {
  const wallet = await makeWallet({ maxPerTransactionUsd: "2000" });
  await setPrice("1000", "1000", new Date(Date.now() - 601_000));
  expect(await judgeNow({ wallet, network: NETWORK, effects: sendEther(wallet, 1n) })).toMatchObject({
    decision: "deny",
    reasons: [
      "There is no price for ETH that can be relied on, by which the policy's limits could be judged.",
    ],
    valueUsd: null,
  });
});

test("judges an effect with one statement", async () => {
  const wallet = await makeWallet({ dailyLimitUsd: "100" });
  const asked = [vi.spyOn(db, "execute"), vi.spyOn(db, "select")];
  await judgeNow({ wallet, network: NETWORK, effects: sendUsd(wallet, 1n) });
  expect(asked.map((calls) => calls.mock.calls.length)).toEqual([1, 0]);
});
