import { encodeFunctionData, erc20Abi, parseUnits } from "viem";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { keysOf } from "#server/base/keys-of.ts";
import { type Answered, startApi } from "#server/testing/api.ts";
import { decide } from "#server/testing/approvals.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { signInMember } from "#server/testing/console.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { balanceOf, executeSwap, quoteSwap } from "#server/testing/swaps.ts";
import { placeQuote, quoteOrder } from "#server/testing/trading.ts";
import {
  createWallet,
  execute,
  PLAIN,
  quote,
  RECIPIENT,
  startSending,
} from "#server/testing/transactions.ts";

const NETWORK = "eip155:31337";

const chain = await startTestChain();
const api = await startApi({ settings: { chains: [chain.settings] } });
const { usd } = chain.settings.contracts;

type Kind = keyof typeof CREATES;

const inUnits = (amount: string) => [RECIPIENT, parseUnits(amount, 6)] as const;
const calldata = (functionName: "transfer" | "approve", amount: string) => ({
  network: NETWORK,
  to: usd,
  asset: "native",
  amount: "0",
  data: encodeFunctionData({ abi: erc20Abi, functionName, args: inUnits(amount) }),
});

async function quotedSend(key: string, walletId: string, body: object) {
  const { id: quoteId } = await quote(api, key, walletId, body);
  return () => execute(api, key, walletId, { quoteId });
}

async function quotedOrder(key: string, walletId: string, terms: object) {
  const { id: quoteId } = await quoteOrder(api, key, { walletId, side: "buy", ...terms });
  return () => placeQuote(api, key, { quoteId });
}

/** Ways to spend an amount of USD of a wallet: each creates a quote, and returns the call that executes it. */
const CREATES = {
  send: (key: string, walletId: string, amount: string) =>
    quotedSend(key, walletId, { ...PLAIN, asset: usd, amount }),
  transfer: (key: string, walletId: string, amount: string) =>
    quotedSend(key, walletId, calldata("transfer", amount)),
  allowance: (key: string, walletId: string, amount: string) =>
    quotedSend(key, walletId, calldata("approve", amount)),
  order: (key: string, walletId: string, amount: string) =>
    quotedOrder(key, walletId, {
      type: "limit",
      quantity: String(Number(amount) / 1000),
      limitPrice: "1000",
    }),
  async swap(key: string, walletId: string, amount: string) {
    const sides = {
      from: { network: NETWORK, asset: usd, amount },
      to: { network: NETWORK, asset: "native" },
    };
    const { id } = await quoteSwap(api, key, walletId, sides);
    return () => executeSwap(api, key, id);
  },
};
const KINDS = keysOf(CREATES);

async function create(kind: Kind, key: string, walletId: string, amount: string): Promise<Answered> {
  const carryOut = await CREATES[kind](key, walletId, amount);
  return carryOut();
}

async function readUsd(key: string, walletId: string) {
  const { body } = await api.send("GET", `/v1/wallets/${walletId}/balances`, { key });
  const { amount, reserved, available } = body.balances.find(
    (one: { symbol: string }) => one.symbol === "USD",
  );
  return { amount, reserved, available };
}

/** Returns a wallet's transactions, swaps and orders. */
async function executionsOf(key: string, walletId: string) {
  const list = async (path: string) =>
    Object.values((await api.send("GET", `/v1/${path}`, { key })).body).flat();
  const listed = await Promise.all([
    list(`wallets/${walletId}/transactions?limit=100`),
    list(`swaps?walletId=${walletId}&limit=100`),
    list(`trading/orders?walletId=${walletId}&limit=100`),
  ]);
  type Execution = { id: string; endedAt: string | null; failure: { code: string } | null };
  return (listed.flat() as (Execution | boolean | null)[]).filter(
    (one): one is Execution => typeof one === "object" && one !== null,
  );
}

test("protects an open order's reservation from executions of every kind, and lets them use the rest", async () => {
  const { key } = await createPayingKey(api, 1000);
  for (const kind of KINDS) {
    const { id } = await createWallet(api, chain, key, { eth: "1", usd: "100" });
    expect((await create("order", key, id, "80")).status).toBe(202);
    expect(await readUsd(key, id)).toEqual({ amount: "100", reserved: "80", available: "20" });
    const refused = await create(kind, key, id, "20.000001");
    expect([kind, refused.status, refused.body.error?.code]).toEqual([kind, 409, "state_conflict"]);
    expect(refused.body.error.message).toContain("the wallet has 20 USD that nothing else reserves");
    expect((await create(kind, key, id, "20")).status).toBe(202);
    expect(await readUsd(key, id)).toEqual({ amount: "100", reserved: "100", available: "0" });
  }
});

test("reserves funds while an approval is pending, and frees them when it is rejected", async () => {
  const { key } = await createPayingKey(api, 1000);
  const worker = await startJobs(api);
  const [initiator, decider] = [await api.createChild(key), await api.createChild(key)];
  for (const kind of KINDS) {
    const policy = { approval: { always: true } };
    const { id } = await createWallet(api, chain, key, { eth: "1", usd: "100", policy });
    expect((await create(kind, initiator.key, id, "60")).status).toBe(202);
    expect(await readUsd(key, id)).toEqual({ amount: "100", reserved: "60", available: "40" });
    for (const other of KINDS) expect((await create(other, key, id, "50")).status).toBe(409);
    const { body } = await api.send("GET", "/v1/approvals?status=pending", { key });
    const decided = await decide(api, decider.key, body.approvals[0], { decision: "reject" });
    expect(decided.status).toBe(200);
    await expect.poll(() => readUsd(key, id)).toEqual({ amount: "100", reserved: "0", available: "100" });
  }
  await worker.stop();
});

test("never promises more than a wallet has, however many executions of all kinds are made at once", async () => {
  const { key } = await createPayingKey(api, 10_000);
  for (let round = 0; round < 3; round++) {
    const { id } = await createWallet(api, chain, key, { eth: "1", usd: "100" });
    const carriers = await Promise.all(
      Array.from({ length: 25 }, (_, nth) => CREATES[defined(KINDS[nth % KINDS.length])](key, id, "10")),
    );
    const answers = await Promise.all(carriers.map((carryOut) => carryOut()));
    const statuses = answers.map(({ status }) => status);
    expect([...new Set(statuses)].sort()).toEqual([202, 409]);
    expect(statuses.filter((status) => status === 202)).toHaveLength(10);
    expect(await readUsd(key, id)).toEqual({ amount: "100", reserved: "100", available: "0" });
  }
});

test("covers every accepted execution until it ends, and then reserves nothing", async () => {
  const { key, accountId } = await createPayingKey(api, 10_000);
  const [engine, worker] = await Promise.all([startSending(api), startJobs(api)]);
  const member = await signInMember(api, accountId, "admin");
  const { id, address } = await createWallet(api, chain, key, { eth: "1", usd: "100" });
  // A reservation that stays throughout, whatever else comes and goes.
  const { order } = (await create("order", key, id, "10")).body;
  const cancel = (orderId: string) => member.mutate("trading.orders.cancel", { orderId });
  let ended = false;
  const watched = (async () => {
    while (!ended) {
      const { amount, reserved, available } = await readUsd(key, id);
      const [sum, all] = [parseUnits(reserved, 6) + parseUnits(available, 6), parseUnits(amount, 6)];
      expect(sum).toBe(all);
    }
  })();
  const spending = ["send", "transfer", "swap", "order"] as const;
  let accepted = 0;
  for (let round = 0; round < 3; round++) {
    const carriers = await Promise.all(
      Array.from({ length: 12 }, (_, nth) => CREATES[defined(spending[nth % spending.length])](key, id, "7")),
    );
    const answers = await Promise.all(carriers.map((carryOut) => carryOut()));
    for (const { status, body } of answers) {
      expect([202, 409]).toContain(status);
      if (body.order) await cancel(body.order.id);
      if (status === 202) accepted += 1;
    }
  }
  const open = async () => (await executionsOf(key, id)).filter(({ endedAt }) => endedAt === null).length;
  await expect.poll(open, { interval: 100 }).toBe(1);
  ended = true;
  await watched;
  expect(accepted).toBeGreaterThan(10);
  const failed = (await executionsOf(key, id)).filter(
    ({ failure }) => failure?.code === "insufficient_funds",
  );
  expect(failed).toEqual([]);
  const amount = String(Number(await balanceOf(chain, usd, address)) / 1e6);
  expect(await readUsd(key, id)).toEqual({ amount, reserved: "10", available: String(Number(amount) - 10) });
  await cancel(order.id);
  expect(await readUsd(key, id)).toEqual({ amount, reserved: "0", available: amount });
  await Promise.all([engine.stop(), worker.stop()]);
});
