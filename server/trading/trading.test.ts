import { erc20Abi, parseEther, parseUnits } from "viem";
import { afterAll, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { uuidOf } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { eventsKept, listen } from "#server/testing/events.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { swap } from "#server/testing/swaps.ts";
import { orderWith, placeOrder, placeQuote, pushPrice, quoteOrder } from "#server/testing/trading.ts";
import { createWallet, startSending } from "#server/testing/transactions.ts";
import { advanceOrder } from "./advance-order.ts";
import { wakeOrders } from "./watch-orders.ts";

const sandbox = await startTestChain();
const api = await startApi({ settings: { chains: [sandbox.settings] } });
const engine = await startSending(api);
afterAll(engine.stop);
const { db, client: sql } = api.platform.database;
const chain = defined(api.platform.chains.all[0]);
const worker = await startJobs(api);
afterAll(worker.stop);

async function createTrader(policy?: Record<string, unknown>) {
  const root = await createPayingKey(api, 1000);
  const wallet = await createWallet(api, sandbox, root.key, {
    eth: "100",
    usd: "100000",
    ...(policy && { policy }),
  });
  return { ...root, wallet, walletId: wallet.id };
}

const usdOf = (address: `0x${string}`) =>
  chain.client.readContract({
    address: chain.contracts.usd,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [address],
  });

const credits = async (key: string) => (await api.send("GET", "/v1/credits/balance", { key })).body.balance;

/** Makes the worker check open orders, as if they had been placed a while ago. */
async function wake() {
  await sql`update orders set updated_at = updated_at - interval '6 seconds' where ended_at is null`;
  await wakeOrders(db, chain);
}

test("a market purchase delivers its quantity for at most the quoted price, and reports the real cost", async () => {
  const { key, accountId, wallet, walletId } = await createTrader();
  await listen(api, accountId);
  const quote = await quoteOrder(api, key, { walletId, side: "buy", type: "market", quantity: "2" });
  expect(quote).toMatchObject({
    kind: "order",
    expected: "2",
    minimum: "2",
    chargedCredits: 5,
    policy: { decision: "allow", reasons: [] },
  });
  expect(quote.fees.map(({ type, asset }: { type: string; asset: string }) => [type, asset])).toEqual([
    ["venue", chain.contracts.usd],
    ["network", "native"],
  ]);
  const placed = await placeQuote(api, key, { quoteId: quote.id, clientReference: "first" });
  expect([placed.status, placed.body.order.status]).toEqual([202, "pending"]);

  const order = await orderWith(api, key, placed.body.order, "filled");
  const paid = parseUnits("100000", 6) - (await usdOf(wallet.address));
  expect(order).toMatchObject({
    clientReference: "first",
    side: "buy",
    type: "market",
    timeInForce: "ioc",
    limitPrice: null,
    quantity: "2",
    filledQuantity: "2",
    chargedCredits: 5,
    failure: null,
    expiresAt: null,
  });
  expect(parseEther(order.averagePrice) * 2n).toBe(paid * 10n ** 12n);
  expect(paid).toBeLessThanOrEqual(parseUnits(quote.maximumCost, 6));
  // The allowance, and the trade that uses it up: a replay of the policy treats them as one.
  expect(
    await sql`select amount::text from wallet_transactions where source_id = ${order.id} order by id`,
  ).toMatchObject([{ amount: "0" }, { amount: expect.stringMatching(/^6\d{3}/) }]);
  expect(order.fills).toHaveLength(1);
  const [fee] = order.fees;
  const native = await chain.client.getBalance({ address: wallet.address });
  expect(native).toBe(parseEther("102") - parseEther(fee.amount));
  expect(await credits(key)).toMatchObject({ availableCredits: 995, reservedCredits: 0 });
  const emitted = (await eventsKept(api, accountId)).map(({ type }) => type);
  expect(emitted.filter((type: string) => type.startsWith("trading."))).toEqual([
    "trading.order.pending",
    "trading.order.filled",
  ]);
});

test("a market sale brings at least its minimum", async () => {
  const { key, wallet, walletId } = await createTrader();
  const terms = { walletId, symbol: "WETH-USD", side: "sell", type: "market", quantity: "1.5" };
  await sandbox.sendAs(wallet.address, sandbox.token("WETH"), "0xd0e30db0", parseEther("2"));
  const quote = await quoteOrder(api, key, terms);
  const { body } = await placeQuote(api, key, { quoteId: quote.id });
  const order = await orderWith(api, key, body.order, "filled");
  const received = (await usdOf(wallet.address)) - parseUnits("100000", 6);
  expect(received).toBeGreaterThanOrEqual(parseUnits(quote.minimum, 6));
  expect(order).toMatchObject({ filledQuantity: "1.5", network: "eip155:31337" });
  expect(Number(order.averagePrice)).toBeCloseTo(Number(received) / 1.5e6, 6);
});

test("a limit order waits for its price, reserves its cost, and is filled at that price or better", async () => {
  const { key, walletId } = await createTrader();
  const terms = { walletId, side: "buy", type: "limit", quantity: "30", limitPrice: "2950" };
  const order = await placeOrder(api, key, terms);
  expect(order).toMatchObject({ status: "open", timeInForce: "gtc" });
  const days = (Date.parse(order.expiresAt) - Date.parse(order.createdAt)) / 86_400_000;
  expect(days).toBeCloseTo(90, 2);
  // 30 × 2,950 of 100,000 USD are reserved.
  const { body } = await api.send("GET", `/v1/wallets/${walletId}/balances`, { key });
  expect(body.balances.find(({ symbol }: { symbol: string }) => symbol === "USD")).toMatchObject({
    amount: "100000",
    reserved: "88500",
    available: "11500",
  });
  const second = await quoteOrder(api, key, terms);
  const refused = await placeQuote(api, key, { quoteId: second.id });
  expect([refused.status, refused.body.error.code]).toEqual([409, "state_conflict"]);
  expect(refused.body.error.message).toContain("the wallet has 11500 USD that nothing else reserves");

  await wake();
  expect((await api.send("GET", `/v1/trading/orders/${order.id}`, { key })).body.order.status).toBe("open");
  await pushPrice(api, sandbox, { sell: "400" });
  await wake();
  const filled = await orderWith(api, key, order, "filled");
  expect(Number(filled.averagePrice)).toBeLessThanOrEqual(2950);
  await pushPrice(api, sandbox, { buy: "1180000" });
});

test("an immediate order that does not cross ends cancelled, having sent and cost nothing", async () => {
  const { key, walletId } = await createTrader();
  const terms = { walletId, side: "sell", type: "limit", quantity: "1", limitPrice: "4000" };
  for (const timeInForce of ["ioc", "fok"]) {
    const placed = await placeOrder(api, key, { ...terms, timeInForce });
    expect(await orderWith(api, key, placed, "cancelled")).toMatchObject({
      filledQuantity: "0",
      averagePrice: null,
      fills: [],
      chargedCredits: 0,
      failure: { code: "price_moved" },
    });
  }
  expect(await credits(key)).toMatchObject({ availableCredits: 1000, reservedCredits: 0 });
  const { body } = await api.send("GET", `/v1/wallets/${walletId}/transactions`, { key });
  expect(body.transactions).toEqual([]);
});

test("an order until a date expires then", async () => {
  const { key, walletId } = await createTrader();
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const terms = { walletId, side: "sell", type: "limit", quantity: "1", limitPrice: "4000" };
  const placed = await placeOrder(api, key, { ...terms, timeInForce: "gtd", expiresAt });
  expect(placed.expiresAt).toBe(expiresAt);
  await sql`update orders set expires_at = now() where limit_price = 4000 and ended_at is null`;
  await wakeOrders(db, chain);
  expect(await orderWith(api, key, placed, "expired")).toMatchObject({ filledQuantity: "0" });
});

test("a limit order that the pools can't fill whole is filled as far as its price goes; one at once is cut off there", async () => {
  const { key, wallet, walletId } = await createTrader();
  await sandbox.fund(wallet.address, { eth: "1000" });
  const terms = { walletId, side: "sell", type: "limit", quantity: "900", limitPrice: "2900" };
  const standing = await placeOrder(api, key, terms);
  const part = await orderWith(api, key, standing, "partially_filled");
  expect(Number(part.averagePrice)).toBeGreaterThanOrEqual(2900);
  expect(Number(part.filledQuantity)).toBeGreaterThan(0);
  expect(Number(part.filledQuantity)).toBeLessThan(900);
  await pushPrice(api, sandbox, { buy: "4000000" });
  await wake();
  const filled = await orderWith(api, key, standing, "filled");
  expect(filled.fills.length).toBeGreaterThan(1);
  expect(Number(filled.averagePrice)).toBeGreaterThanOrEqual(2900);
});

test("positions are at average cost from real fills, and stay listed when flat", async () => {
  const { key, walletId } = await createTrader();
  const market = { walletId, type: "market" };
  const buy = async (quantity: string) =>
    orderWith(api, key, await placeOrder(api, key, { ...market, side: "buy", quantity }), "filled");
  const sell = async (quantity: string) =>
    orderWith(api, key, await placeOrder(api, key, { ...market, side: "sell", quantity }), "filled");
  const position = async () => (await api.send("GET", "/v1/trading/positions", { key })).body.positions[0];

  const first = await buy("2");
  await pushPrice(api, sandbox, { buy: "500000" });
  const second = await buy("1");
  const average = (2 * Number(first.averagePrice) + Number(second.averagePrice)) / 3;
  const held = await position();
  expect(held).toMatchObject({ walletId, symbol: "ETH-USD", quantity: "3", realizedPnlUsd: "0" });
  expect(Number(held.averageEntryPrice)).toBeCloseTo(average, 6);
  expect(Number(held.unrealizedPnlUsd)).toBeCloseTo(3 * (Number(held.marketPrice) - average), 6);

  const third = await sell("1.5");
  const left = await position();
  expect(left.quantity).toBe("1.5");
  expect(Number(left.averageEntryPrice)).toBeCloseTo(average, 6);
  expect(Number(left.realizedPnlUsd)).toBeCloseTo(1.5 * (Number(third.averagePrice) - average), 6);

  // Half an ether more than the orders have bought: that has no cost basis, and realises nothing.
  const fourth = await sell("2");
  const flat = await position();
  expect(flat).toMatchObject({ quantity: "0", averageEntryPrice: null, unrealizedPnlUsd: "0" });
  const realized = Number(left.realizedPnlUsd) + 1.5 * (Number(fourth.averagePrice) - average);
  expect(Number(flat.realizedPnlUsd)).toBeCloseTo(realized, 6);
});

test("lets exactly one of several orders take a client reference, and names it to the others", async () => {
  const { key, walletId } = await createTrader();
  const terms = { walletId, side: "buy", type: "limit", quantity: "1", limitPrice: "1000" };
  const quotes = await Promise.all([1, 2, 3].map(() => quoteOrder(api, key, terms)));
  const answers = await Promise.all(
    quotes.map(({ id }) => placeQuote(api, key, { quoteId: id, clientReference: "same" })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
  const taken = answers.find(({ status }) => status === 202)?.body.order;
  for (const { body } of answers.filter(({ status }) => status === 409))
    expect(body.error).toMatchObject({
      code: "already_exists",
      message: `Order ${taken.id} of this wallet has clientReference "same" already.`,
    });
});

test("an order that is looked at by many at once trades once", async () => {
  const { key, accountId, walletId } = await createTrader();
  const placed = await placeOrder(api, key, { walletId, side: "buy", type: "market", quantity: "1" });
  await Promise.all([1, 2, 3, 4].map(() => advanceOrder(db, { accountId, id: placed.id })));
  const filled = await orderWith(api, key, placed, "filled");
  expect(filled.fills).toHaveLength(1);
  const { body } = await api.send("GET", `/v1/wallets/${walletId}/transactions`, { key });
  // The allowance and the trade.
  expect(body.transactions.map(({ status }: { status: string }) => status)).toEqual([
    "confirmed",
    "confirmed",
  ]);
});

test("sends orders and swaps of one token and wallet at once, each with its own allowance right before it", async () => {
  const { key, walletId } = await createTrader();
  const { usd, venue } = chain.contracts;
  const { network } = chain;
  const wish = { from: { network, asset: usd, amount: "50" }, to: { network, asset: "native" } };
  const made = await Promise.all([
    ...["0.01", "0.02", "0.03"].map((quantity) =>
      placeOrder(api, key, { walletId, side: "buy", type: "market", quantity }),
    ),
    swap(api, key, walletId, wish),
    swap(api, key, walletId, wish),
  ]);
  await Promise.all(made.slice(0, 3).map((order) => orderWith(api, key, order, "filled")));
  const swapped = () =>
    sql`select from swaps where wallet_id = ${uuidOf("wallet", walletId)} and status = 'completed'`;
  await expect.poll(async () => (await swapped()).length).toBe(2);
  const sent = await sql<{ to: string }[]>`
    select call_to as to from wallet_transactions where wallet_id = ${uuidOf("wallet", walletId)} and direction = 'out' order by nonce`;
  expect(sent.map(({ to }) => to)).toEqual(Array.from({ length: 5 }, () => [usd, venue?.router]).flat());
});
