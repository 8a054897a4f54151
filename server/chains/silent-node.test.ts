import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { type Answered, startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { startClock } from "#server/testing/cpu.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startTakeoverClock } from "#server/testing/takeover-clock.ts";
import {
  createWallet,
  PLAIN,
  startBetween,
  startSending,
  transactionWith,
} from "#server/testing/transactions.ts";

const chain = await startTestChain();
let isSilent = false;
const between = await startBetween(chain, { asked: () => (isSilent ? "hang" : undefined) });
const api = await startApi({ settings: { chains: [between] } });
const engine = await startSending(api);
afterAll(engine.stop);

async function timed(call: () => Promise<Answered>) {
  const clock = startClock();
  const answer = await call();
  return { answer, inTime: clock() < 5000 };
}

test("answers 503 within five seconds to calls that need a chain whose node is silent, and serves others as usual", async () => {
  const { key } = await createPayingKey(api, 1000);
  const wallet = await createWallet(api, chain, key, { eth: "10", usd: "1000" });
  const { id } = wallet;
  const network = "eip155:31337";
  const usd = between.contracts.usd;
  const send = (path: string, body: object) => () => api.send("POST", path, { key, body });
  const read = (path: string) => () => api.send("GET", path, { key });
  const order = { walletId: id, symbol: "ETH-USD", side: "buy", type: "market", quantity: "1" };
  const swap = {
    walletId: id,
    from: { network, asset: "native", amount: "1" },
    to: { network, asset: usd },
  };
  const needy: Record<string, () => Promise<Answered>> = {
    balances: read(`/v1/wallets/${id}/balances`),
    quote: send(`/v1/wallets/${id}/transactions/quote`, PLAIN),
    swapQuote: send("/v1/swaps/quote", swap),
    orderQuote: send("/v1/trading/quotes", order),
  };
  const free: Record<string, () => Promise<Answered>> = {
    wallet: read(`/v1/wallets/${id}`),
    wallets: read("/v1/wallets"),
    created: send("/v1/wallets", { label: "While silent" }),
    transactions: read(`/v1/wallets/${id}/transactions`),
    orders: read("/v1/trading/orders"),
    tokens: read("/v1/swaps/tokens"),
    projects: read("/v1/projects"),
    health: () => api.send("GET", "/health"),
  };
  for (const [name, call] of Object.entries({ ...needy, ...free }))
    expect([name, (await call()).body]).toMatchObject([name, { ok: true }]);
  const prepared = (await needy.quote?.())?.body.quote.id;

  isSilent = true;
  for (let round = 0; round < 2; round++) {
    const refused = Object.entries(needy).map(async ([name, call]) => {
      const { answer, inTime } = await timed(call);
      const { code, message } = answer.body.error ?? {};
      return [name, inTime, answer.status, code, /eip155:31337 \(CHAINS\)/.test(message)];
    });
    const answered = Object.entries(free).map(async ([name, call]) => {
      const { answer, inTime } = await timed(call);
      return [name, inTime, answer.body.ok];
    });
    expect(await Promise.all(refused)).toEqual(
      Object.keys(needy).map((name) => [name, true, 503, "service_unavailable", true]),
    );
    expect(await Promise.all(answered)).toEqual(Object.keys(free).map((name) => [name, true, true]));
  }
  await expect
    .poll(async () => (await api.send("GET", "/health")).body)
    .toMatchObject({
      status: "degraded",
      chains: [{ network, ok: false, blockNumber: null }],
    });
  const executed = await timed(send(`/v1/wallets/${id}/transactions`, { quoteId: prepared }));
  expect([executed.inTime, executed.answer.status]).toEqual([true, 202]);

  const clock = await startTakeoverClock(api.databaseUrl);
  isSilent = false;
  const back = clock();
  await transactionWith(api, key, executed.answer.body.transaction, "confirmed");
  for (const [name, call] of Object.entries({ ...needy, ...free }))
    expect([name, (await call()).body]).toMatchObject([name, { ok: true }]);
  expect(clock() - back).toBeLessThan(5000);
  expect(await chain.client.getTransactionCount({ address: wallet.address })).toBe(1);
});

test("answers a crowd within five seconds while the node is silent, and all of it when it is back", async () => {
  const { key } = await createPayingKey(api, 1000);
  const { id } = await createWallet(api, chain, key);
  const read = () => timed(() => api.send("GET", `/v1/wallets/${id}/balances`, { key }));
  expect((await read()).answer.status).toBe(200);
  isSilent = true;
  const crowd = [];
  // Sequential, so that each call asks the node separately.
  for (let nth = 0; nth < 300; nth++) {
    crowd.push(read());
    await sleep(5);
  }
  const answers = await Promise.all(crowd);
  expect(new Set(answers.map(({ answer }) => answer.status))).toEqual(new Set([503]));
  expect(answers.filter(({ inTime }) => !inTime)).toEqual([]);
  const clock = await startTakeoverClock(api.databaseUrl);
  isSilent = false;
  const back = clock();
  await expect.poll(async () => (await read()).answer.status).toBe(200);
  expect(clock() - back).toBeLessThan(5000);
});
