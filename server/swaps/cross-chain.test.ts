import { afterAll, expect, test } from "vitest";
import { createPayingKey } from "#server/testing/credits.ts";
import { eventsKept, listen } from "#server/testing/events.ts";
import { balanceOf, moveTime, quoteSwap, startSwaps, swap } from "#server/testing/swaps.ts";
import { createWallet, startSending } from "#server/testing/transactions.ts";
import { startRelayer } from "./relayer/relayer.ts";

const { origin, destination, api, readUntil } = await startSwaps();
const engine = await startSending(api);
afterAll(engine.stop);
const near = "eip155:31337";
const far = "eip155:31338";
const usd = origin.token("USD");
const wish = (amount: string, to: string) => ({
  from: { network: near, asset: usd, amount },
  to: { network: far, asset: to },
});

test("ends filled, with the hashes of both chains, while a relayer runs", async () => {
  const relayer = startRelayer({ directUrl: api.databaseUrl, account: origin.accounts.relayer });
  const { key, accountId } = await createPayingKey(api, 100);
  await listen(api, accountId);
  const wallet = await createWallet(api, origin, key, { eth: "1", usd: "500" });
  const quote = await quoteSwap(api, key, wallet.id, wish("500", usd));
  expect(quote).toMatchObject({
    expected: "499.5",
    minimum: "497.0025",
    fees: [{ type: "bridge", asset: usd, amount: "0.5", valueUsd: "0.5" }],
  });
  const made = await swap(api, key, wallet.id, wish("500", usd));
  const done = await readUntil(key, `/v1/swaps/${made.id}`, "completed");
  expect(done.to).toMatchObject({ network: far, received: "499.5" });
  expect(await balanceOf(destination, usd, wallet.address)).toBe(499_500_000n);
  const [, deposit, fill] = done.transactions;
  expect([deposit.network, fill.network]).toEqual([near, far]);
  const receipts = await Promise.all([
    origin.client.getTransactionReceipt({ hash: deposit.hash }),
    destination.client.getTransactionReceipt({ hash: fill.hash }),
  ]);
  expect(receipts.map(({ status }) => status)).toEqual(["success", "success"]);
  const emitted = (await eventsKept(api, accountId)).map(({ type }) => type);
  expect(emitted.filter((type) => type.startsWith("swap."))).toEqual([
    "swap.pending",
    "swap.source_submitted",
    "swap.source_confirmed",
    "swap.filling",
    "swap.completed",
  ]);
  await relayer.stop();
});

test("refunds a deposit that nobody has delivered in time, while no relayer runs", async () => {
  const { key } = await createPayingKey(api, 100);
  const policy = { dailyLimitUsd: "200" };
  const wallet = await createWallet(api, origin, key, { eth: "1", usd: "200", policy });
  const made = await swap(api, key, wallet.id, wish("200", "native"));
  await readUntil(key, `/v1/swaps/${made.id}`, "filling");
  expect(await balanceOf(origin, usd, wallet.address)).toBe(0n);
  await moveTime([origin, destination], 1300);
  const ended = await readUntil(key, `/v1/swaps/${made.id}`, "refunded");
  expect(ended).toMatchObject({ to: { received: null }, failure: null, chargedCredits: 5 });
  expect(ended.transactions.map(({ network }: { network: string }) => network)).toEqual([near, near, near]);
  const refund = await origin.client.getTransactionReceipt({ hash: ended.transactions[2].hash });
  expect(refund.status).toBe("success");
  expect(await balanceOf(origin, usd, wallet.address)).toBe(200_000_000n);
  const { route } = (await api.send("GET", `/v1/swaps/routes/${ended.routeId}`, { key })).body;
  expect(route).toMatchObject({ status: "refunded", destinationTransactionHash: refund.transactionHash });
  // A refund may be spent again on the same day.
  const again = await quoteSwap(api, key, wallet.id, wish("200", "native"));
  expect(again.policy.decision).toBe("allow");
});
