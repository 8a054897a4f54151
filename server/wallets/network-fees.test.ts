import { formatEther, parseGwei } from "viem";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { refreshPrices } from "#server/prices/queries.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { orderWith, placeOrder } from "#server/testing/trading.ts";
import {
  createWallet,
  execute,
  quote,
  send,
  startSending,
  transactionWith,
} from "#server/testing/transactions.ts";
import { watchOrders } from "#server/trading/watch-orders.ts";

const sandbox = await startTestChain();
const networkFees = { maxNetworkFeeUsd: "2", dailyNetworkFeeUsd: "5" };
const api = await startApi({ settings: { chains: [sandbox.settings], networkFees } });
const chain = defined(api.platform.chains.all[0]);
const { client } = sandbox;
const { db } = api.platform.database;
const { key } = await createPayingKey(api, 10_000);
await refreshPrices(db, chain);

/** Sets the network's base fee from now on, without tips. */
async function ask(gwei: string) {
  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei(gwei) });
  await client.mine({ blocks: 1 });
  // The previous fee is cached for a second.
  await new Promise((resolve) => setTimeout(resolve, 1100));
}

beforeEach(() => ask("1"));

test("denies a transaction whose fee exceeds the limit for one: the installation's, or the policy's own", async () => {
  const wallet = await createWallet(api, sandbox, key, { eth: "10" });
  const generous = await createWallet(api, sandbox, key, { eth: "10", policy: { maxNetworkFeeUsd: "50" } });
  await ask("20");
  const denied = await quote(api, key, wallet.id);
  expect(denied.policy).toMatchObject({
    decision: "deny",
    reasons: [expect.stringMatching(/up to 2\.\d+ USD, more than the 2 USD that one transaction's fee/)],
  });
  const refused = await execute(api, key, wallet.id, { quoteId: denied.id });
  expect([refused.status, refused.body.error.code]).toEqual([403, "policy_denied"]);
  expect((await quote(api, key, generous.id)).policy.decision).toBe("allow");
});

test("reserves no more network fees than the day's limit, however many sends are concurrent, and counts the paid ones", async () => {
  const wallet = await createWallet(api, sandbox, key, { eth: "10" });
  await ask("10");
  const quotes = await Promise.all(Array.from({ length: 8 }, () => quote(api, key, wallet.id)));
  const [fee] = quotes[0].fees;
  expect(Number(fee.valueUsd)).toBeGreaterThan(1);
  const answers = await Promise.all(quotes.map(({ id }) => execute(api, key, wallet.id, { quoteId: id })));
  const sent = answers.filter(({ status }) => status === 202).map(({ body }) => body.transaction);
  expect(sent).toHaveLength(Math.floor(5 / Number(fee.valueUsd)));
  for (const { body } of answers.filter(({ status }) => status !== 202))
    expect(body.error).toMatchObject({
      code: "policy_denied",
      message: expect.stringContaining("today's limit of 5 USD for network fees"),
    });
  const engine = await startSending(api);
  const ended = await Promise.all(sent.map((one) => transactionWith(api, key, one, "confirmed")));
  const price = Number(fee.valueUsd) / Number(fee.amount);
  const paid = ended.reduce((sum, { feePaid }) => sum + Number(feePaid) * price, 0);
  // No other transaction fits into this limit, so the quote says how much of it is used.
  const body = { ifVersion: 1, dailyNetworkFeeUsd: "0.01" };
  await api.mustSend(200, "PATCH", `/v1/wallets/${wallet.id}/policy`, { key, body });
  const { reasons } = (await quote(api, key, wallet.id)).policy;
  const [, used] = /of which ([\d.]+) USD is spent/.exec(reasons.join(" ")) ?? [];
  expect(Number(used)).toBeCloseTo(paid, 2);
  await engine.stop();
});

test("signs nothing for which the network has come to ask more than the limit, and gives its credits back", async () => {
  const wallet = await createWallet(api, sandbox, key, { eth: "10" });
  const credits = async () => (await api.send("GET", "/v1/credits/balance", { key })).body.balance;
  const { availableCredits } = await credits();
  const created = await send(api, key, wallet.id);
  await ask("40");
  const engine = await startSending(api);
  const failed = await transactionWith(api, key, created, "failed");
  expect(failed).toMatchObject({ failure: { code: "policy_denied" }, hash: null, chargedCredits: 0 });
  expect(failed.failure.message).toContain("more than the 2 USD that one transaction's fee may come to");
  expect(await client.getTransactionCount({ address: wallet.address })).toBe(0);
  expect(await credits()).toMatchObject({ availableCredits, reservedCredits: 0 });
  // None of it counts any more.
  await ask("1");
  const next = await send(api, key, wallet.id);
  await transactionWith(api, key, next, "confirmed");
  await engine.stop();
});

test("raises the fee of a stuck transaction no further than its limit", async () => {
  const engine = await startSending(api, { stuckAfterMs: 200 });
  const wallet = await createWallet(api, sandbox, key, { eth: "10" });
  await client.setAutomine(false);
  const sent = await send(api, key, wallet.id);
  const first = await transactionWith(api, key, sent, "broadcast");
  const [{ valueUsd, amount }] = (await quote(api, key, wallet.id)).fees;
  const price = Number(valueUsd) / Number(amount);
  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei("12") });
  await client.mine({ blocks: 1 });
  await transactionWith(api, key, first, "broadcast", ({ attempts }) => attempts > 1);
  await ask("1000");
  const { attempts } = await transactionWith(api, key, first, "broadcast");
  await new Promise((resolve) => setTimeout(resolve, 2000));
  expect(await transactionWith(api, key, first, "broadcast")).toMatchObject({ attempts });
  await ask("1");
  await client.setAutomine(true);
  const mined = await transactionWith(api, key, first, "confirmed");
  const { maxFeePerGas = 0n, gas } = await client.getTransaction({ hash: mined.hash });
  expect(Number(formatEther(maxFeePerGas * gas)) * price).toBeLessThanOrEqual(2);
  await engine.stop();
});

test("a standing order waits while its network asks more than the limit, one at once is rejected", async () => {
  await startSending(api);
  await startJobs(api);
  const watch = watchOrders();
  onTestFinished(() => watch.stop());
  const wallet = await createWallet(api, sandbox, key, { eth: "10" });
  const terms = { walletId: wallet.id, side: "sell", type: "limit", quantity: "0.1", limitPrice: "100" };
  await ask("20");
  const standing = await placeOrder(api, key, terms);
  const immediate = await placeOrder(api, key, { ...terms, timeInForce: "ioc" });
  await orderWith(api, key, immediate, "rejected");
  expect((await api.send("GET", `/v1/trading/orders/${standing.id}`, { key })).body.order.status).toBe(
    "open",
  );
  await ask("0.1");
  await orderWith(api, key, standing, "filled");
});
