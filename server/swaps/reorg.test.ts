import type { Address, Hex } from "viem";
import { afterAll, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { bridgeOf } from "#server/providers/bridge/bridge.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { balanceOf, prepareSwap, sendCall, sendSteps, startSwaps, swap } from "#server/testing/swaps.ts";
import { pushPrice } from "#server/testing/trading.ts";
import { createWallet, PLAIN, quote, startSending } from "#server/testing/transactions.ts";

type Deal = { Method: "anvil_dealERC20"; Parameters: [Address, Address, Hex]; ReturnType: null };
type Rollback = { Method: "anvil_rollback"; Parameters: [number]; ReturnType: null };

const { origin, destination, api, readUntil } = await startSwaps();
let engine = await startSending(api);
afterAll(() => engine.stop());
const near = "eip155:31337";
const far = "eip155:31338";
const usd = origin.token("USD");

/** Waits until the ended route is running again, and returns it. */
async function reopened(key: string, path: string) {
  const read = async () => (await api.send("GET", path, { key })).body.route;
  await expect.poll(async () => (await read()).endedAt).toBeNull();
  return read();
}

/** Prepares a swap of the native asset for an external wallet. */
async function prepare(key: string, to: { network: string; asset: string }) {
  const input = { from: { network: near, asset: "native", amount: "0.5" }, to };
  const { sender, steps, routeId } = await prepareSwap(api, origin, key, input, { eth: "2" });
  return { sender, steps, path: `/v1/swaps/routes/${routeId}` };
}

/** Has an external wallet send a swap of the native asset. */
async function sendPrepared(key: string, to: { network: string; asset: string }) {
  const prepared = await prepare(key, to);
  await sendSteps(origin, prepared.sender, prepared.steps);
  return prepared;
}

test("a swap that a reorganisation moves into another block reports the amount received there", async () => {
  const { key } = await createPayingKey(api, 100);
  const wallet = await createWallet(api, origin, key, { eth: "2" });
  const wish = { from: { network: near, asset: "native", amount: "1" }, to: { network: near, asset: usd } };
  const made = await swap(api, key, wallet.id, { ...wish, slippageBps: 100 });
  const path = `/v1/swaps/${made.id}`;
  const before = await readUntil(key, path, "completed");
  await engine.stop();
  await origin.reorganise(1);
  await pushPrice(api, origin, { buy: "60000" });
  engine = await startSending(api);
  const received = async () => (await api.send("GET", path, { key })).body.swap.to.received;
  await expect.poll(received).not.toBe(before.to.received);
  const after = await readUntil(key, path, "completed");
  expect(Number(after.to.received)).toBeGreaterThan(Number(before.to.received));
  expect(await balanceOf(origin, usd, wallet.address)).toBe(
    BigInt(Math.round(Number(after.to.received) * 1e6)),
  );
  expect(after).toMatchObject({ transactions: before.transactions, chargedCredits: 5, failure: null });
});

test("a failed swap counts against the day's limit again once it succeeds after a reorganisation", async () => {
  const { key } = await createPayingKey(api, 100);
  const policy = { dailyLimitUsd: "100" };
  const wallet = await createWallet(api, origin, key, { eth: "1", usd: "100", policy });
  const { client } = origin;
  const hold = (units: Hex) =>
    client.request<Deal>({ method: "anvil_dealERC20", params: [wallet.address, usd, units] });
  const wish = { from: { network: near, asset: usd, amount: "60" }, to: { network: near, asset: "native" } };
  await client.setAutomine(false);
  const made = await swap(api, key, wallet.id, { ...wish, slippageBps: 500 });
  const path = `/v1/swaps/${made.id}`;
  await readUntil(key, path, "source_submitted");
  await hold("0x0");
  await origin.mine();
  const ended = async () => (await api.send("GET", path, { key })).body.swap.status;
  await expect.poll(ended).toBe("failed");
  await origin.reorganise(1, { automine: false });
  await expect.poll(ended).toBe("source_submitted");
  await hold("0x5f5e100");
  await origin.mine();
  await client.setAutomine(true);
  await readUntil(key, path, "completed");
  await hold("0x5f5e100");
  const more = await quote(api, key, wallet.id, { ...PLAIN, asset: usd, amount: "60" });
  expect(more.policy).toMatchObject({
    decision: "deny",
    reasons: [expect.stringContaining("of which 60 USD is spent")],
  });
});

test("a route whose step was taken back waits for it again", async () => {
  const { key } = await api.createRootKey();
  const { sender, steps, path } = await sendPrepared(key, { network: near, asset: usd });
  const before = await readUntil(key, path, "completed");
  await origin.reorganise(1);
  expect(await reopened(key, path)).toMatchObject({
    status: "prepared",
    sourceTransactionHash: null,
    destinationTransactionHash: null,
    received: null,
  });
  const { transactionHash } = await sendSteps(origin, sender, steps);
  const after = await readUntil(key, path, "completed");
  expect(after).toMatchObject({ sourceTransactionHash: transactionHash, failure: null });
  expect(after.received).toBe(before.received);
});

test("a step is found in a block that replaces one that was searched already", async () => {
  const { key } = await api.createRootKey();
  const to = { network: near, asset: usd };
  const late = await prepare(key, to);
  const early = await sendPrepared(key, to);
  await readUntil(key, early.path, "completed");
  const searched = await origin.client.getBlockNumber();
  await origin.client.request<Rollback>({ method: "anvil_rollback", params: [1] });
  const { transactionHash, blockNumber } = await sendSteps(origin, late.sender, late.steps);
  expect(blockNumber).toBe(searched);
  expect(await readUntil(key, late.path, "completed")).toMatchObject({
    sourceTransactionHash: transactionHash,
  });
});

test("a delivery on the other chain that was taken back has not been made", async () => {
  const { key } = await api.createRootKey();
  const { sender, path } = await sendPrepared(key, {
    network: far,
    asset: destination.token("USD"),
  });
  await readUntil(key, path, "filling");
  const chains = api.platform.chains;
  const bridge = defined(bridgeOf(defined(chains.find(near))));
  const [deposit] = await bridge.findDeposits(0n, await origin.client.getBlockNumber());
  const relayer = destination.accounts.relayer.address;
  const farBridge = defined(bridgeOf(defined(chains.find(far))));
  const { order } = defined(deposit);
  await destination.approve(relayer, order.outputToken, farBridge.address, order.minimumOutput);
  await sendCall(destination, relayer, farBridge.buildFill(order, order.minimumOutput));
  await readUntil(key, path, "completed");
  expect(await balanceOf(destination, order.outputToken, sender)).toBe(order.minimumOutput);
  await destination.reorganise(1);
  expect(await reopened(key, path)).toMatchObject({
    status: "filling",
    destinationTransactionHash: null,
    received: null,
  });
});
