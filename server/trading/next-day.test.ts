import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { eventually } from "#server/testing/eventually.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { passDays } from "#server/testing/next-day.ts";
import { orderWith, placeOrder, pushPrice, quoteOrder } from "#server/testing/trading.ts";
import { createWallet, startSending } from "#server/testing/transactions.ts";
import { watchOrders } from "./watch-orders.ts";

const sandbox = await startTestChain();
const api = await startApi({ settings: { chains: [sandbox.settings] } });
const worker = await startJobs(api);
afterAll(worker.stop);

const LIMIT = { side: "buy", type: "limit", quantity: "1", limitPrice: "2900" };

/** Creates a wallet that may spend 4,000 USD a day: one order's cost, but not that of two. */
async function createTrader() {
  const { key } = await createPayingKey(api, 1000);
  const policy = { dailyLimitUsd: "4000" };
  const wallet = await createWallet(api, sandbox, key, { eth: "10", usd: "100000", policy });
  /** Returns whether a purchase of this quantity, at 1,000 USD each, would fit into the day. */
  const decides = async (quantity: string) => {
    const quote = await quoteOrder(api, key, {
      ...LIMIT,
      walletId: wallet.id,
      quantity,
      limitPrice: "1000",
    });
    return quote.policy.decision;
  };
  const read = async ({ id }: { id: string }) =>
    (await api.mustSend(200, "GET", `/v1/trading/orders/${id}`, { key })).order;
  return { key, walletId: wallet.id, decides, read };
}

test("counts what an order trades on the day of the trade, once, and refuses an order beyond that day", async () => {
  const { key, walletId, decides, read } = await createTrader();
  const first = await placeOrder(api, key, { ...LIMIT, walletId });
  expect([await decides("1.1"), await decides("1.11")]).toEqual(["allow", "deny"]);
  await passDays(api, 1);
  expect([await decides("4"), await decides("4.01")]).toEqual(["allow", "deny"]);
  const second = await placeOrder(api, key, { ...LIMIT, walletId });
  await passDays(api, 2);
  await pushPrice(api, sandbox, { sell: "1000" });
  const watcher = watchOrders();
  const engine = await startSending(api);
  const orders = await eventually(async () => {
    const both = await Promise.all([read(first), read(second)]);
    return both.every(({ endedAt }) => endedAt !== null) ? both : undefined;
  });
  const statuses = orders.map(({ status }) => status).sort();
  expect(statuses).toEqual(["filled", "rejected"]);
  expect(orders.find(({ status }) => status === "rejected").failure.code).toBe("policy_denied");
  expect([await decides("1.1"), await decides("1.11")]).toEqual(["allow", "deny"]);
  await watcher.stop();
  await engine.stop();
  await pushPrice(api, sandbox, { buy: "2800000" });
});

test("releases the amount of a trade that fails on a later day, and counts that of the next", async () => {
  const { key, walletId, decides, read } = await createTrader();
  const order = await placeOrder(api, key, { ...LIMIT, walletId });
  await passDays(api, 3);
  await pushPrice(api, sandbox, { sell: "1000" });
  const watcher = watchOrders();
  // Nothing is sent yet.
  await expect.poll(() => decides("1.11")).toBe("deny");
  expect([(await read(order)).status, await decides("1.1")]).toEqual(["open", "allow"]);
  await pushPrice(api, sandbox, { buy: "2800000" });
  const engine = await startSending(api);
  await expect.poll(() => decides("4")).toBe("allow");
  expect((await read(order)).status).toBe("open");
  await pushPrice(api, sandbox, { sell: "1000" });
  await orderWith(api, key, order, "filled");
  expect([await decides("1.1"), await decides("1.11")]).toEqual(["allow", "deny"]);
  await watcher.stop();
  await engine.stop();
});
