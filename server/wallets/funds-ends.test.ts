import type { ChildProcess } from "node:child_process";
import { encodeFunctionData, parseAbi } from "viem";
import { expect, onTestFinished, test } from "vitest";
import { type Answered, startApi, unique } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { startServer } from "#server/testing/server-process.ts";
import { executeSwap, quoteSwap } from "#server/testing/swaps.ts";
import { orderWith, placeOrder, placeQuote, pushPrice, quoteOrder } from "#server/testing/trading.ts";
import {
  createWallet,
  execute,
  PLAIN,
  quote,
  send,
  startBetween,
  startSending,
  startTransactionWorker,
  transactionWith,
} from "#server/testing/transactions.ts";
import { untilAnswered } from "#server/testing/until-answered.ts";
import { watchOrders } from "#server/trading/watch-orders.ts";

const NETWORK = "eip155:31337";
const chain = await startTestChain();
const api = await startApi({ settings: { chains: [chain.settings] } });
const { usd, wrappedNative } = chain.settings.contracts;

/** Returns the reserved amounts of a wallet's assets by symbol, without zeros. */
async function readReserved(key: string, walletId: string) {
  const { body } = await api.send("GET", `/v1/wallets/${walletId}/balances`, { key });
  const entries = body.balances.map(({ symbol, reserved }: { symbol: string; reserved: string }) => [
    symbol,
    reserved,
  ]);
  return Object.fromEntries(entries.filter(([, reserved]: [string, string]) => reserved !== "0"));
}

const SWAP = {
  from: { network: NETWORK, asset: usd, amount: "10" },
  to: { network: NETWORK, asset: "native" },
};

test("reserves for each thing that a killed server has made, and for nothing else", async () => {
  const { key } = await createPayingKey(api, 1000);
  const { id } = await createWallet(api, chain, key, { eth: "1", usd: "1000" });
  const terms = { walletId: id, side: "buy", type: "limit", quantity: "0.01", limitPrice: "1000" };
  const calls: { path: string; quoteId: string; idempotencyKey: string }[] = [];
  for (let nth = 0; nth < 5; nth++) {
    const quoted = [
      [
        `/v1/wallets/${id}/transactions`,
        (await quote(api, key, id, { ...PLAIN, asset: usd, amount: "10" })).id,
      ],
      ["/v1/swaps", (await quoteSwap(api, key, id, SWAP)).id],
      ["/v1/trading/orders", (await quoteOrder(api, key, terms)).id],
    ] as const;
    for (const [path, quoteId] of quoted) calls.push({ path, quoteId, idempotencyKey: unique("killed") });
  }
  const { origin, child, untilGone } = await startServer(
    api.databaseUrl,
    "--chain",
    JSON.stringify(chain.settings),
  );
  let answered = 0;
  await Promise.allSettled(
    calls.map(async ({ path, quoteId, idempotencyKey }) => {
      const headers = {
        authorization: `Bearer ${key}`,
        "idempotency-key": idempotencyKey,
        "content-type": "application/json",
      };
      await fetch(`${origin}${path}`, { method: "POST", headers, body: JSON.stringify({ quoteId }) });
      answered += 1;
      if (answered === 4) child.kill("SIGKILL");
    }),
  );
  await untilGone();
  const count = async (path: string, name: string) => {
    const { body } = await api.send("GET", path, { key });
    return body[name].filter(({ amount, direction }: { amount?: string; direction?: string }) => {
      return direction === undefined || (direction === "out" && amount === "10");
    }).length;
  };
  // The transactions of swaps belong to them.
  const made =
    (await count(`/v1/wallets/${id}/transactions?limit=100`, "transactions")) +
    (await count(`/v1/trading/orders?walletId=${id}&limit=100`, "orders"));
  expect(made).toBeGreaterThanOrEqual(4);
  expect((await readReserved(key, id)).USD).toBe(String(10 * made));
  for (const { path, quoteId, idempotencyKey } of calls) {
    const call = { key, idempotencyKey, body: { quoteId } };
    expect((await untilAnswered(() => api.send("POST", path, call))).status).toBe(202);
  }
  expect((await readReserved(key, id)).USD).toBe("150");
});

const BOUNDARIES = [
  ["asked", "eth_sendRawTransaction"],
  ["answered", "eth_getTransactionReceipt"],
] as const;

test.each(BOUNDARIES)(
  "leaves nothing reserved by things that have ended though their worker is killed when %s %s",
  async (when, at) => {
    const { key } = await createPayingKey(api, 1000);
    const begun = Promise.withResolvers<ChildProcess>();
    const kill = (method: string) => {
      // It may call before the test knows that it has started.
      if (method === at) void begun.promise.then((one) => one.kill("SIGKILL"));
      return method === at ? ("hang" as const) : undefined;
    };
    const child = await startTransactionWorker(api, await startBetween(chain, { [when]: kill }), "both");
    begun.resolve(child);
    const { id } = await createWallet(api, chain, key, { eth: "10", usd: "5000" });
    const sent = await send(api, key, id, { ...PLAIN, asset: usd, amount: "10" });
    const order = await placeOrder(api, key, { walletId: id, side: "buy", type: "market", quantity: "1" });
    const { swap } = (await executeSwap(api, key, (await quoteSwap(api, key, id, SWAP)).id)).body;
    await expect.poll(() => child.signalCode).toBe("SIGKILL");
    const [engine, worker] = [await startSending(api), await startJobs(api)];
    await transactionWith(api, key, sent, "confirmed");
    await orderWith(api, key, order, "filled");
    const swapNow = async () => (await api.send("GET", `/v1/swaps/${swap.id}`, { key })).body.swap.status;
    await expect.poll(swapNow).toBe("completed");
    expect(await readReserved(key, id)).toEqual({});
    await Promise.all([engine.stop(), worker.stop()]);
  },
);

test("reserves for live executions and for no ended one, in every way that they end", async () => {
  let engine = await startSending(api);
  await startJobs(api);
  const watch = watchOrders();
  onTestFinished(() => watch.stop());
  const { key } = await createPayingKey(api, 1000);
  const { id } = await createWallet(api, chain, key, { eth: "10", usd: "10000" });
  const reserved = () => readReserved(key, id);
  const order = (terms: object) =>
    placeOrder(api, key, { walletId: id, side: "buy", quantity: "1", ...terms });

  // Refused before it is signed: there is no wrapped ether to unwrap.
  const data = encodeFunctionData({ abi: parseAbi(["function withdraw(uint256)"]), args: [10n ** 18n] });
  const refused = await send(api, key, id, { ...PLAIN, to: wrappedNative, amount: "0", data });
  await transactionWith(api, key, refused, "failed");
  expect(await reserved()).toEqual({});

  const bought = await order({ type: "market" });
  await orderWith(api, key, bought, "filled");
  expect(await reserved()).toEqual({});

  await orderWith(
    api,
    key,
    await order({ type: "limit", limitPrice: "1000", timeInForce: "ioc" }),
    "cancelled",
  );
  expect(await reserved()).toEqual({});

  const expiresAt = new Date(Date.now() + 15_000).toISOString();
  const dated = await order({ type: "limit", limitPrice: "1000", timeInForce: "gtd", expiresAt });
  expect(await reserved()).toEqual({ USD: "1000" });
  await orderWith(api, key, dated, "expired");
  expect(await reserved()).toEqual({});

  const quoted = await quoteSwap(api, key, id, {
    ...SWAP,
    from: { ...SWAP.from, amount: "5000" },
    slippageBps: 1,
  });
  await pushPrice(api, chain, { buy: "200000" });
  const { swap } = (await executeSwap(api, key, quoted.id)).body;
  const swapNow = async () => (await api.send("GET", `/v1/swaps/${swap.id}`, { key })).body.swap.status;
  await expect.poll(swapNow).toBe("failed");
  await expect.poll(reserved).toEqual({});

  const sold = await order({ side: "sell", type: "limit", quantity: "2", limitPrice: "100000" });
  expect(await reserved()).toEqual({ ETH: "2" });

  // A transaction removed by a reorganisation is reserved again until the chain has it.
  const sent = await send(api, key, id, { ...PLAIN, asset: usd, amount: "25" });
  const { hash } = await transactionWith(api, key, sent, "confirmed");
  await engine.stop();
  await chain.reorganise(1);
  engine = await startSending(api);
  expect(await transactionWith(api, key, sent, "confirmed")).toMatchObject({ hash });
  await expect.poll(reserved).toEqual({ ETH: "2" });
  expect((await orderWith(api, key, sold, "open")).filledQuantity).toBe("0");
});

test("answers no 500 when sends, swaps, trades and refusals of wallets meet in all orders", async () => {
  const { key } = await createPayingKey(api, 10_000);
  const [engine, worker, child] = await Promise.all([
    startSending(api),
    startJobs(api),
    startTransactionWorker(api, chain.settings, "both"),
  ]);
  const policy = { dailyLimitUsd: "1000000" };
  const wallets = await Promise.all(
    [1, 2, 3, 4].map(() => createWallet(api, chain, key, { eth: "10", usd: "10000", policy })),
  );
  const market = { side: "sell", type: "market", quantity: "0.01" };
  const create = [
    async (id: string) => execute(api, key, id, { quoteId: (await quote(api, key, id)).id }),
    async (id: string) => executeSwap(api, key, (await quoteSwap(api, key, id, SWAP)).id),
    async (id: string) =>
      placeQuote(api, key, { quoteId: (await quoteOrder(api, key, { ...market, walletId: id })).id }),
    async (walletId: string) => {
      const terms = {
        walletId,
        side: "buy",
        type: "limit",
        quantity: "0.01",
        limitPrice: "1",
        timeInForce: "ioc",
      };
      return placeQuote(api, key, { quoteId: (await quoteOrder(api, key, terms)).id });
    },
  ];
  const answers: Answered[] = [];
  for (let round = 0; round < create.length; round++) {
    const calls = wallets.flatMap(({ id }) => create.map((carryOut) => carryOut(id)));
    answers.push(...(await Promise.all(calls)));
  }
  expect(answers.filter(({ status }) => status === 500).map(({ body }) => body.error)).toEqual([]);
  expect(answers.filter(({ status }) => status === 202).length).toBeGreaterThan(wallets.length);
  for (const { id } of wallets) await expect.poll(() => readReserved(key, id)).toEqual({});
  child.kill("SIGKILL");
  await Promise.all([engine.stop(), worker.stop()]);
});
