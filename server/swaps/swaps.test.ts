import { type Address, erc20Abi, parseEther } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { uuidOf } from "#server/base/ids.ts";
import { refreshPrices } from "#server/prices/queries.ts";
import { venueOf } from "#server/providers/venue/venue-of.ts";
import { decide } from "#server/testing/approvals.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { eventsKept, listen } from "#server/testing/events.ts";
import { startServer } from "#server/testing/server-process.ts";
import { balanceOf, executeSwap, quoteSwap, sendCall, startSwaps, swap } from "#server/testing/swaps.ts";
import { createWallet, startSending } from "#server/testing/transactions.ts";

const { origin, api, readUntil } = await startSwaps();
const engine = await startSending(api);
afterAll(engine.stop);
const network = "eip155:31337";
const [usd, weth, gold, btc] = ["USD", "WETH", "GOLD", "BTC"].map(origin.token) as [
  Address,
  Address,
  Address,
  Address,
];
const chain = defined(api.platform.chains.find(network));
await refreshPrices(api.platform.database.db, chain);

const wish = (from: string, amount: string, to: string, more: { slippageBps?: number } = {}) => ({
  from: { network, asset: from, amount },
  to: { network, asset: to },
  ...more,
});
const creditsOf = async (key: string) => (await api.send("GET", "/v1/credits/balance", { key })).body.balance;

test("swaps the quoted amount over two pools, and reports the received one", async () => {
  const { key, accountId } = await createPayingKey(api, 100);
  await listen(api, accountId);
  const wallet = await createWallet(api, origin, key, { eth: "1", token: { asset: gold, amount: "2" } });
  const quote = await quoteSwap(api, key, wallet.id, wish(gold, "2", btc));
  expect(quote).toMatchObject({
    kind: "swap",
    chargedCredits: 5,
    policy: { decision: "allow", reasons: [] },
    fees: [{ type: "pool", asset: gold }],
  });
  const { status, body } = await executeSwap(api, key, quote.id);
  expect(status).toBe(202);
  expect(body.swap).toMatchObject({
    quoteId: quote.id,
    walletId: wallet.id,
    status: "pending",
    transactions: [],
    from: { network, asset: gold, amount: "2" },
    to: { network, asset: btc, expected: quote.expected, minimum: quote.minimum, received: null },
  });
  const done = await readUntil(key, `/v1/swaps/${body.swap.id}`, "completed");
  expect(done).toMatchObject({ chargedCredits: 5, failure: null });
  expect(done.to.received).toBe(quote.expected);
  expect(await balanceOf(origin, btc, wallet.address)).toBe(
    BigInt(Math.round(Number(done.to.received) * 1e8)),
  );
  const receipts = await Promise.all(
    done.transactions.map(({ hash }: { hash: `0x${string}` }) =>
      origin.client.getTransactionReceipt({ hash }),
    ),
  );
  expect(receipts.map(({ status, to }) => [status, to])).toEqual([
    ["success", gold.toLowerCase()],
    ["success", origin.settings.contracts.venue?.router.toLowerCase()],
  ]);
  const router = defined(origin.settings.contracts.venue?.router);
  const args = [wallet.address, router] as const;
  const allowed = await origin.client.readContract({
    address: gold,
    abi: erc20Abi,
    functionName: "allowance",
    args,
  });
  expect(allowed).toBe(0n);
  const { route } = (await api.send("GET", `/v1/swaps/routes/${done.routeId}`, { key })).body;
  expect(route).toMatchObject({ swapId: done.id, status: "completed", received: done.to.received });
  expect(await creditsOf(key)).toMatchObject({ availableCredits: 95, reservedCredits: 0 });
  const emitted = (await eventsKept(api, accountId)).filter(({ type }) => type.startsWith("swap."));
  expect(emitted.map(({ type, sequence }) => [type, sequence])).toEqual([
    ["swap.pending", 1],
    ["swap.source_submitted", 2],
    ["swap.source_confirmed", 3],
    ["swap.completed", 4],
  ]);
  const again = await executeSwap(api, key, quote.id);
  expect(again.body.error).toMatchObject({ status: 409, code: "state_conflict" });
});

test("unwraps the bought asset, wraps and unwraps, without counting network fees as received", async () => {
  const { key } = await createPayingKey(api, 100);
  const wallet = await createWallet(api, origin, key, { eth: "2", usd: "3000" });
  const bought = await swap(api, key, wallet.id, wish(usd, "3000", "native"));
  const sold = await readUntil(key, `/v1/swaps/${bought.id}`, "completed");
  expect(sold.to.received).toBe(sold.to.expected);
  const wrapped = await swap(api, key, wallet.id, wish("native", "0.5", weth));
  expect((await readUntil(key, `/v1/swaps/${wrapped.id}`, "completed")).to).toMatchObject({
    expected: "0.5",
    minimum: "0.5",
    received: "0.5",
  });
  expect(await balanceOf(origin, weth, wallet.address)).toBe(parseEther("0.5"));
  const unwrapped = await swap(api, key, wallet.id, wish(weth, "0.5", "native"));
  const back = await readUntil(key, `/v1/swaps/${unwrapped.id}`, "completed");
  expect(back).toMatchObject({ to: { received: "0.5" }, fees: [] });
  expect(back.transactions).toHaveLength(1);
  expect(await balanceOf(origin, weth, wallet.address)).toBe(0n);
});

test("makes swaps of one wallet that are asked for at once, each with its own allowance", async () => {
  const { key } = await createPayingKey(api, 100);
  const wallet = await createWallet(api, origin, key, { eth: "1", usd: "600" });
  const amounts = ["100", "200", "300"];
  const made = await Promise.all(
    amounts.map((amount) => swap(api, key, wallet.id, wish(usd, amount, weth, { slippageBps: 100 }))),
  );
  for (const { id } of made) await readUntil(key, `/v1/swaps/${id}`, "completed");
  expect(await balanceOf(origin, usd, wallet.address)).toBe(0n);
});

test("sends swaps of one wallet one after another, though a process's clock is ahead of another's", async () => {
  const settings = JSON.stringify(origin.settings);
  const ahead = await startServer(api.databaseUrl, "--chain", settings, "--ahead-ms", "30000");
  const { key } = await createPayingKey(api, 1000);
  const wallet = await createWallet(api, origin, key, { eth: "1", usd: "600" });
  const execute = async (at: string, quoteId: string) => {
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": `swap-${quoteId}`,
    };
    const body = JSON.stringify({ quoteId });
    const answer = await fetch(`${at}/v1/swaps`, { method: "POST", headers, body });
    return (await answer.json()).swap.id as string;
  };
  for (let pair = 0; pair < 10; pair++) {
    const [more, less] = await Promise.all(
      ["20", "10"].map((amount) =>
        quoteSwap(api, key, wallet.id, wish(usd, amount, weth, { slippageBps: 500 })),
      ),
    );
    // The second swap arrives while the first one's allowance is being sent.
    const made = [await execute(ahead.origin, more.id), await execute(api.origin, less.id)];
    for (const id of made) await readUntil(key, `/v1/swaps/${id}`, "completed");
  }
});

/** Sells an amount to the pools, so that the price falls. */
async function pushPrice(from: "native" | Address, to: Address, amountIn: bigint, funds: object) {
  const whale = privateKeyToAddress(generatePrivateKey());
  await origin.fund(whale, funds);
  const venue = defined(venueOf(chain));
  const quote = defined(await venue.quoteExactIn({ from, to, amountIn }));
  const { timestamp } = await origin.client.getBlock();
  const order = { quote, recipient: whale, limit: 0n, deadline: timestamp + 3600n };
  if (from !== "native") await origin.approve(whale, from, venue.spender, amountIn);
  expect((await sendCall(origin, whale, venue.buildSwap(order))).status).toBe("success");
}

test("gives each swap its own allowance, though an existing one would cover only the first", async () => {
  const { key } = await createPayingKey(api, 100);
  const wallet = await createWallet(api, origin, key, { eth: "1", usd: "20" });
  await origin.approve(wallet.address, usd, defined(origin.settings.contracts.venue?.router), 10_000_000n);
  const made = await Promise.all([1, 2].map(() => swap(api, key, wallet.id, wish(usd, "10", "native"))));
  for (const { id } of made) await readUntil(key, `/v1/swaps/${id}`, "completed");
});

test("sends a wallet's swaps in the order of their commits, whichever was requested first", async () => {
  const { key } = await createPayingKey(api, 100);
  const wallet = await createWallet(api, origin, key, { eth: "1" });
  const [first, second] = [
    await quoteSwap(api, key, wallet.id, wish("native", "0.01", weth)),
    await quoteSwap(api, key, wallet.id, wish("native", "0.02", weth)),
  ];
  const { client: sql } = api.platform.database;
  const waiting = async () => {
    const [row] = await sql`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    return row?.count;
  };
  const [locked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = sql.begin(async (tx) => {
    await tx`select from quotes where id = ${uuidOf("quote", first.id)} for update`;
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  const delayed = executeSwap(api, key, first.id);
  await expect.poll(waiting).toBe(1);
  expect((await executeSwap(api, key, second.id)).status).toBe(202);
  held.resolve();
  await holding;
  expect((await delayed).status).toBe(202);
  const { body } = await api.send("GET", `/v1/wallets/${wallet.id}/transactions`, { key });
  expect(body.transactions.map(({ quoteId }: { quoteId: string }) => quoteId)).toEqual([first.id, second.id]);
});

test("fails where the price has moved past the minimum, and gives nothing", async () => {
  const { key } = await createPayingKey(api, 100);
  const wallet = await createWallet(api, origin, key, {
    eth: "2",
    policy: { dailyLimitUsd: "3500" },
  });
  const quote = await quoteSwap(api, key, wallet.id, wish("native", "1", usd, { slippageBps: 10 }));
  await pushPrice("native", usd, parseEther("500"), { eth: "600" });
  const { status, body } = await executeSwap(api, key, quote.id);
  expect(status).toBe(202);
  const failed = await readUntil(key, `/v1/swaps/${body.swap.id}`, "failed");
  expect(failed).toMatchObject({ failure: { code: "reverted" }, to: { received: null }, chargedCredits: 0 });
  expect(await balanceOf(origin, "native", wallet.address)).toBe(parseEther("2"));
  expect(await creditsOf(key)).toMatchObject({ availableCredits: 100, reservedCredits: 0 });
  // Its amount counts no longer against the day's limit.
  const again = await swap(api, key, wallet.id, wish("native", "1", usd));
  expect((await readUntil(key, `/v1/swaps/${again.id}`, "completed")).to.received).not.toBeNull();
});

test("is denied by the wallet's policy, in the quote and when it is executed, its spending counted once", async () => {
  const { key } = await createPayingKey(api, 100);
  const wallet = await createWallet(api, origin, key, {
    eth: "1",
    usd: "200",
    policy: { maxPerTransactionUsd: "100" },
  });
  const quote = await quoteSwap(api, key, wallet.id, wish(usd, "100.01", weth));
  expect(quote.policy.decision).toBe("deny");
  const denied = await executeSwap(api, key, quote.id);
  expect(denied.body.error).toMatchObject({ status: 403, code: "policy_denied" });
  const met = await swap(api, key, wallet.id, wish(usd, "100", weth));
  await readUntil(key, `/v1/swaps/${met.id}`, "completed");
});

/** Creates a swap of 150 USD that waits for approval, and the key of an approver. */
async function waiting() {
  const root = await createPayingKey(api, 100);
  const [{ key }, decider] = await Promise.all([api.createChild(root.key), api.createChild(root.key)]);
  const wallet = await createWallet(api, origin, key, {
    eth: "1",
    usd: "150",
    policy: { dailyLimitUsd: "300", approval: { aboveUsd: "100" } },
  });
  const made = await swap(api, key, wallet.id, wish(usd, "150", gold, { slippageBps: 100 }));
  expect(made).toMatchObject({ status: "awaiting_approval", routeId: null, transactions: [] });
  const { body } = await api.send("GET", `/v1/approvals?id=${made.approvalId}`, { key });
  return { key, decider: decider.key, wallet, made, approval: body.approvals[0] };
}

test("waits for approval if the policy requires it, and is quoted again afterwards", async () => {
  const { key, decider, wallet, made, approval } = await waiting();
  const dollars = async () => {
    const { body } = await api.send("GET", `/v1/wallets/${wallet.id}/balances?network=${network}`, { key });
    return body.balances.find(({ asset }: { asset: string }) => asset === usd);
  };
  expect(await dollars()).toMatchObject({ amount: "150", reserved: "150", available: "0" });
  expect(approval).toMatchObject({
    kind: "swap",
    subject: { serviceId: "universal-swaps", id: made.id },
    summary: `Swap 150 USD for at least ${made.to.minimum} GOLD on ${network}, 50% of today's cap.`,
  });
  expect((await decide(api, decider, approval)).status).toBe(200);
  const done = await readUntil(key, `/v1/swaps/${made.id}`, "completed");
  expect(Number(done.to.received)).toBeGreaterThanOrEqual(Number(done.to.minimum));
  const { body } = await api.send("GET", `/v1/approvals?id=${approval.id}`, { key });
  expect(body.approvals[0].status).toBe("consumed");
  expect(await dollars()).toMatchObject({ amount: "0", reserved: "0", available: "0" });
});

test("fails where the approved minimum can't be met any more", async () => {
  const late = await waiting();
  await pushPrice(usd, gold, 500_000_000_000n, { eth: "1", usd: "500000" });
  await decide(api, late.decider, late.approval);
  const failed = await readUntil(late.key, `/v1/swaps/${late.made.id}`, "failed");
  expect(failed).toMatchObject({ failure: { code: "minimum_not_met" }, transactions: [] });
  expect(await balanceOf(origin, usd, late.wallet.address)).toBe(150_000_000n);
});

test("lists an account's swaps by wallet and status, and no other account's", async () => {
  const { key } = await createPayingKey(api, 100);
  const other = await createPayingKey(api, 100);
  const wallet = await createWallet(api, origin, key, { eth: "1" });
  const made = await swap(api, key, wallet.id, wish("native", "0.1", weth));
  await readUntil(key, `/v1/swaps/${made.id}`, "completed");
  const ids = async (by: string, query: string) =>
    (await api.send("GET", `/v1/swaps?${query}`, { key: by })).body.swaps.map(({ id }: { id: string }) => id);
  expect(await ids(key, `walletId=${wallet.id}&status=completed`)).toEqual([made.id]);
  expect(await ids(key, "status=failed")).toEqual([]);
  expect(await ids(other.key, `walletId=${wallet.id}`)).toEqual([]);
});

test("fails if the wallet has too little of the input", async () => {
  const { key } = await createPayingKey(api, 100);
  const wallet = await createWallet(api, origin, key, { eth: "1", usd: "10" });
  const made = await swap(api, key, wallet.id, wish(usd, "11", weth));
  const failed = await readUntil(key, `/v1/swaps/${made.id}`, "failed");
  expect(failed.failure.code).toBe("reverted");
  expect(await balanceOf(origin, usd, wallet.address)).toBe(10_000_000n);
});
