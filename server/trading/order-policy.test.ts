import { afterAll, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { startApi } from "#server/testing/api.ts";
import { decide } from "#server/testing/approvals.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { signInMember } from "#server/testing/console.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { orderWith, placeOrder, placeQuote, pushPrice, quoteOrder } from "#server/testing/trading.ts";
import { createWallet, startSending } from "#server/testing/transactions.ts";
import { watchOrders } from "./watch-orders.ts";

const sandbox = await startTestChain();
const api = await startApi({ settings: { chains: [sandbox.settings] } });
const engine = await startSending(api);
afterAll(engine.stop);
const { client: sql } = api.platform.database;
const worker = await startJobs(api);
afterAll(worker.stop);

async function createTrader(policy: Record<string, unknown>) {
  const root = await createPayingKey(api, 1000);
  const wallet = await createWallet(api, sandbox, root.key, { eth: "100", usd: "100000", policy });
  return { ...root, walletId: wallet.id };
}

const BUY = { side: "buy", type: "market", quantity: "1" };

/** Creates an order that waits for approval, and the key of another principal who may decide. */
async function waiting(terms: Record<string, unknown> = BUY) {
  const trader = await createTrader({ approval: { always: true } });
  const decider = await api.createChild(trader.key);
  const initiator = await api.createChild(trader.key);
  const order = await placeOrder(api, initiator.key, { walletId: trader.walletId, ...terms });
  const { body } = await api.send("GET", "/v1/approvals?status=pending", { key: decider.key });
  return { ...trader, initiator, decider: decider.key, order, approval: body.approvals[0] };
}

test("an approved order keeps its approved price, and ends if the market has moved away", async () => {
  const { key, decider, order, approval } = await waiting();
  await pushPrice(api, sandbox, { buy: "2000000" });
  await decide(api, decider, approval);
  expect(await orderWith(api, key, order, "cancelled")).toMatchObject({
    fills: [],
    chargedCredits: 0,
    failure: { code: "price_moved" },
  });
  await pushPrice(api, sandbox, { sell: "640" });
});

test("cancelling a waiting order cancels its approval", async () => {
  const { key, accountId, decider, order, approval } = await waiting();
  const member = await signInMember(api, accountId, "owner");
  await member.mutate("trading.orders.cancel", { orderId: order.id });
  await orderWith(api, key, order, "cancelled");
  const { body } = await api.send("GET", `/v1/approvals?id=${approval.id}`, { key });
  expect(body.approvals).toMatchObject([{ status: "cancelled" }]);
  const decided = await decide(api, decider, approval);
  expect([decided.status, decided.body.error.code]).toEqual([409, "state_conflict"]);
});

test("a quote reports the policy's denial, and its execution is refused", async () => {
  const { key, walletId } = await createTrader({ maxPerTransactionUsd: "1000" });
  const quote = await quoteOrder(api, key, { walletId, ...BUY });
  expect(quote.policy.decision).toBe("deny");
  const refused = await placeQuote(api, key, { quoteId: quote.id });
  expect([refused.status, refused.body.error.code]).toEqual([403, "policy_denied"]);
});

test("orders placed at once never pass the daily cap together", async () => {
  const { key, walletId } = await createTrader({ dailyLimitUsd: "500" });
  const terms = { walletId, side: "buy", type: "limit", quantity: "0.1", limitPrice: "1000" };
  const quotes = await Promise.all(Array.from({ length: 8 }, () => quoteOrder(api, key, terms)));
  const answers = await Promise.all(quotes.map(({ id }) => placeQuote(api, key, { quoteId: id })));
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 202, 202, 202, 403, 403, 403]);
});

test("a price pushed down just before does not let more pass under a cap", async () => {
  const { key, walletId } = await createTrader({ maxPerTransactionUsd: "2990" });
  const send = { network: "eip155:31337", to: sandbox.accounts.treasury.address, asset: "native" };
  const quoteSend = async () => {
    const body = { ...send, amount: "1" };
    const answer = await api.send("POST", `/v1/wallets/${walletId}/transactions/quote`, { key, body });
    return answer.body.quote.policy.decision;
  };
  // Any quote makes the venue's prices known.
  const order = { walletId, side: "sell", type: "market", quantity: "1" };
  expect((await quoteOrder(api, key, order)).policy.decision).toBe("deny");
  expect(await quoteSend()).toBe("deny");
  await sql`update asset_prices set observed_at = now() - interval '1 minute'`;
  await pushPrice(api, sandbox, { sell: "1000" });
  const pushed = await quoteOrder(api, key, order);
  const [row] = await sql`select spot_usd from asset_prices where asset = 'native'`;
  expect(Number(row?.spot_usd)).toBeLessThan(2900);
  expect(pushed.policy.decision).toBe("deny");
  expect(await quoteSend()).toBe("deny");
  await pushPrice(api, sandbox, { buy: "2800000" });
});

test("an open order continues when its key is revoked, and ends if the policy then denies it", async () => {
  const standing = { side: "buy", type: "limit", quantity: "1", limitPrice: "2900" };
  async function place() {
    const trader = await createTrader({});
    const { key, apiKey } = await api.createChild(trader.key);
    const order = await placeOrder(api, key, { ...standing, walletId: trader.walletId });
    await api.send("DELETE", `/v1/api-keys/${apiKey.id}`, { key: trader.key });
    return { ...trader, order };
  }
  const [going, stopped] = await Promise.all([place(), place()]);
  const body = { ifVersion: 1, dailyLimitUsd: "0" };
  await api.send("PATCH", `/v1/wallets/${stopped.walletId}/policy`, { key: stopped.key, body });
  await pushPrice(api, sandbox, { sell: "1000" });
  const watcher = watchOrders();
  await orderWith(api, going.key, going.order, "filled");
  const ended = await orderWith(api, stopped.key, stopped.order, "rejected");
  expect(ended.failure.code).toBe("policy_denied");
  await watcher.stop();
  await pushPrice(api, sandbox, { buy: "2800000" });
});

test("cancelling an open order frees its reservation once, even with two concurrent requests", async () => {
  const { key, walletId } = await createTrader({});
  const terms = { walletId, side: "buy", type: "limit", quantity: "90", limitPrice: "1000" };
  const order = await placeOrder(api, key, terms);
  const { id } = await quoteOrder(api, key, terms);
  expect((await placeQuote(api, key, { quoteId: id })).status).toBe(409);
  const path = `/v1/trading/orders/${order.id}/cancel`;
  const reader = await api.createChild(key, { scopes: ["trading:read"] });
  const refused = await api.send("POST", path, { key: reader.key, body: {} });
  expect(refused.body.error).toMatchObject({ status: 403, code: "scope_missing" });
  const foreign = await api.send("POST", path, { key: (await api.createRootKey()).key, body: {} });
  expect(foreign.body.error).toMatchObject({ status: 404, code: "not_found" });
  const keys = ["cancel-one", "cancel-two"];
  const cancel = (idempotencyKey: string) => api.send("POST", path, { key, body: {}, idempotencyKey });
  const answers = await Promise.all(keys.map(cancel));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const done = answers.findIndex(({ status }) => status === 200);
  expect(answers[done]?.body.order).toMatchObject({ id: order.id, status: "cancelled" });
  expect(answers[1 - done]?.body.error.code).toBe("state_conflict");
  expect((await placeQuote(api, key, { quoteId: id })).status).toBe(202);
  const again = await cancel(defined(keys[done]));
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(again.body.order).toEqual(answers[done]?.body.order);
});
