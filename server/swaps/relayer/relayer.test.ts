import { encodeFunctionData, type Hex, parseEther, parseGwei } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterEach, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { bridgeAbi, erc20Abi } from "#server/providers/chain/abi.ts";
import type { Funds } from "#server/testing/chain.ts";
import { balanceOf, moveTime, prepareSwap, sendSteps, startSwaps } from "#server/testing/swaps.ts";
import { startRelayer } from "./relayer.ts";

const { origin, destination, api, readUntil } = await startSwaps();
const near = "eip155:31337";
const far = "eip155:31338";
const usd = origin.token("USD");
const bridge = defined(origin.settings.contracts.bridge);
const stranger = () => privateKeyToAddress(generatePrivateKey());

let relayer: ReturnType<typeof startRelayer> | undefined;
const start = (patience: { stuckAfterMs?: number } = {}) => {
  relayer = startRelayer({ directUrl: api.databaseUrl, account: origin.accounts.relayer, ...patience });
};
afterEach(() => relayer?.stop());

/** Prepares a swap to the other chain for a new external wallet. */
function prepare(key: string, [asset, amount]: [string, string], to: string, funds: Funds) {
  const input = { from: { network: near, asset, amount }, to: { network: far, asset: to } };
  return prepareSwap(api, origin, key, input, { eth: "1", ...funds });
}

async function orderOf(hash: Hex) {
  const { blockNumber } = await origin.client.getTransactionReceipt({ hash });
  const [deposited] = await origin.client.getContractEvents({
    address: bridge,
    abi: bridgeAbi,
    eventName: "Deposited",
    strict: true,
    fromBlock: blockNumber,
    toBlock: blockNumber,
  });
  return defined(deposited).args;
}

const statusOn = (chain: typeof origin, orderId: Hex) =>
  chain.client.readContract({ address: bridge, abi: bridgeAbi, functionName: "status", args: [orderId] });

test("delivers the swapped amount on the other chain, and is paid from the deposit", async () => {
  start();
  const { key } = await api.createRootKey();
  const before = await balanceOf(origin, usd, origin.accounts.relayer.address);
  const { sender, routeId, steps, minimumReceived } = await prepare(key, [usd, "1000"], usd, { usd: "1000" });
  expect(steps.map(({ type, network }: Record<string, string>) => [type, network])).toEqual([
    ["approve", near],
    ["bridge", near],
  ]);
  // A thousandth is the relayer's fee; at most half a percent may be lost.
  expect(minimumReceived).toBe("994.005");
  const { transactionHash } = await sendSteps(origin, sender, steps);
  const route = await readUntil(key, `/v1/swaps/routes/${routeId}`, "completed");
  expect(route).toMatchObject({ sourceTransactionHash: transactionHash, received: "999" });
  const fill = await destination.client.getTransactionReceipt({ hash: route.destinationTransactionHash });
  expect(fill.status).toBe("success");
  expect(await balanceOf(destination, usd, sender)).toBe(999_000_000n);
  const { orderId } = await orderOf(transactionHash);
  await expect.poll(() => statusOn(origin, orderId)).toBe(2);
  // While it stores a block, anvil may return one contract's new state beside another's old one.
  const paid = async () => (await balanceOf(origin, usd, origin.accounts.relayer.address)) - before;
  await expect.poll(paid).toBe(1_000_000_000n);
});

test("delivers another asset than was given, native ones too", async () => {
  start();
  const { key } = await api.createRootKey();
  const btc = destination.token("BTC");
  const native = await prepare(key, ["native", "0.5"], btc, {});
  const token = await prepare(key, [usd, "3000"], "native", { usd: "3000" });
  await sendSteps(origin, native.sender, native.steps);
  await sendSteps(origin, token.sender, token.steps);
  const bought = await readUntil(key, `/v1/swaps/routes/${native.routeId}`, "completed");
  expect(Number(bought.received)).toBeGreaterThanOrEqual(Number(native.minimumReceived));
  expect(await balanceOf(destination, btc, native.sender)).toBe(
    BigInt(Math.round(Number(bought.received) * 1e8)),
  );
  const ether = await readUntil(key, `/v1/swaps/routes/${token.routeId}`, "completed");
  expect(await balanceOf(destination, "native", token.sender)).toBe(parseEther(ether.received));
});

test("does not deliver more than a deposit is worth, and refunds it after its deadline", async () => {
  start();
  const sender = stranger();
  await origin.fund(sender, { eth: "1", usd: "1" });
  const approve = encodeFunctionData({
    abi: erc20Abi,
    functionName: "approve",
    args: [bridge, 1_000_000n],
  });
  await origin.sendAs(sender, usd, approve);
  const { timestamp } = await origin.client.getBlock();
  const greedy = encodeFunctionData({
    abi: bridgeAbi,
    functionName: "deposit",
    args: [
      ...([sender, usd, 1_000_000n, 31338n, usd, 500_000_000n] as const),
      ...([timestamp + 60n, timestamp + 600n] as const),
    ],
  });
  const { transactionHash } = await origin.sendAs(sender, bridge, greedy);
  const { orderId } = await orderOf(transactionHash);
  const { client } = api.platform.database;
  const known = async () =>
    (await client`select status, reason from relayer_orders where id = ${orderId}`)[0];
  await expect
    .poll(known)
    .toEqual({ status: "seen", reason: "It is worth 980000 now, less than its minimum." });
  await moveTime([origin, destination], 700);
  await expect.poll(() => statusOn(origin, orderId)).toBe(3);
  await expect.poll(() => balanceOf(origin, usd, sender)).toBe(1_000_000n);
  expect(await statusOn(destination, orderId)).toBe(0);
});

test("does not fill an expired deposit, and refunds it", async () => {
  const { key } = await api.createRootKey();
  const { sender, routeId, steps } = await prepare(key, [usd, "50"], usd, { usd: "50" });
  const { transactionHash } = await sendSteps(origin, sender, steps);
  await readUntil(key, `/v1/swaps/routes/${routeId}`, "filling");
  const { orderId } = await orderOf(transactionHash);
  await moveTime([origin, destination], 1300);
  start();
  const route = await readUntil(key, `/v1/swaps/routes/${routeId}`, "refunded");
  expect(route).toMatchObject({ sourceTransactionHash: transactionHash, received: null });
  const refund = await origin.client.getTransactionReceipt({ hash: route.destinationTransactionHash });
  expect(refund.status).toBe("success");
  expect(await balanceOf(origin, usd, sender)).toBe(50_000_000n);
  expect(await statusOn(destination, orderId)).toBe(0);
});

test("raises the fees of a delivery that the chain passes over, and delivers once", async () => {
  start({ stuckAfterMs: 300 });
  const { key } = await api.createRootKey();
  const { sender, routeId, steps } = await prepare(key, [usd, "40"], "native", { usd: "40" });
  const { client } = destination;
  await client.setAutomine(false);
  const { transactionHash } = await sendSteps(origin, sender, steps);
  const { orderId } = await orderOf(transactionHash);
  const { client: sql } = api.platform.database;
  const signed = async () =>
    (
      await sql`select cardinality(earlier_hashes) as raises from relayer_sends where order_id = ${orderId} and purpose = 'fill'`
    )[0];
  // Stored and then submitted: only transactions that the node has can be passed over.
  const { address } = destination.accounts.relayer;
  const sent = async (blockTag: "latest" | "pending") => client.getTransactionCount({ address, blockTag });
  await expect.poll(async () => (await sent("pending")) - (await sent("latest"))).toBeGreaterThan(0);
  // Beyond its maximum fee.
  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei("20") });
  await client.mine({ blocks: 1 });
  await client.setAutomine(true);
  await readUntil(key, `/v1/swaps/routes/${routeId}`, "completed");
  expect((await signed())?.raises).toBeGreaterThan(0);
  const fills = await client.getContractEvents({
    address: bridge,
    abi: bridgeAbi,
    eventName: "Filled",
    args: { orderId },
    fromBlock: 0n,
  });
  expect(fills).toHaveLength(1);
});

test.each([
  ["while the next delivery was under way", true],
  ["before the next delivery", false],
])("delivers again a delivery that a reorganisation removed %s", async (_, underWay) => {
  start();
  const { key } = await api.createRootKey();
  const first = await prepare(key, [usd, "21"], usd, { usd: "21" });
  const next = await prepare(key, [usd, "22"], usd, { usd: "22" });
  await sendSteps(origin, first.sender, first.steps);
  await readUntil(key, `/v1/swaps/routes/${first.routeId}`, "completed");
  const { client } = destination;
  if (underWay) {
    await client.setAutomine(false);
    await sendSteps(origin, next.sender, next.steps);
    const { address } = destination.accounts.relayer;
    const sent = async (blockTag: "latest" | "pending") => client.getTransactionCount({ address, blockTag });
    await expect.poll(async () => (await sent("pending")) - (await sent("latest"))).toBeGreaterThan(0);
  }
  await destination.reorganise();
  if (!underWay) await sendSteps(origin, next.sender, next.steps);
  await readUntil(key, `/v1/swaps/routes/${next.routeId}`, "completed");
  const [removed, later] = [first, next].map(
    ({ sender }) =>
      () =>
        balanceOf(destination, usd, sender),
  );
  await expect.poll(defined(removed)).toBe(20_979_000n);
  expect(await defined(later)()).toBe(21_978_000n);
});

test("does not deliver for a deposit that a reorganisation can still remove", async () => {
  const chain = defined(api.platform.chains.find(near));
  const { client: sql } = api.platform.database;
  start();
  // Claiming an earlier delivery would add a block to the deposit's chain.
  const unpaid = () => sql`select from relayer_orders where status in ('seen', 'filled')`;
  await expect.poll(async () => (await unpaid()).length).toBe(0);
  chain.confirmations = 3;
  const { key } = await api.createRootKey();
  const { sender, steps } = await prepare(key, [usd, "60"], usd, { usd: "60" });
  const { transactionHash } = await sendSteps(origin, sender, steps);
  const { orderId } = await orderOf(transactionHash);
  const looked = async () =>
    (await sql`select block::int from relayer_heads where network = ${near}`)[0]?.block;
  const deep = async () => Number(await origin.client.getBlockNumber()) - 2;
  await origin.mine();
  await expect.poll(async () => (await looked()) === (await deep())).toBe(true);
  expect(await sql`select id from relayer_orders where id = ${orderId}`).toEqual([]);
  await origin.reorganise(2);
  await origin.mine(3);
  await expect.poll(async () => (await looked()) === (await deep())).toBe(true);
  expect(await sql`select id from relayer_orders where id = ${orderId}`).toEqual([]);
  expect([await statusOn(origin, orderId), await statusOn(destination, orderId)]).toEqual([0, 0]);
  chain.confirmations = 1;
});

test("lets one of two relayers work, and the other take over", async () => {
  const { key } = await api.createRootKey();
  start();
  const second = startRelayer({ directUrl: api.databaseUrl, account: origin.accounts.relayer });
  const first = await prepare(key, [usd, "20"], usd, { usd: "20" });
  await sendSteps(origin, first.sender, first.steps);
  await readUntil(key, `/v1/swaps/routes/${first.routeId}`, "completed");
  await relayer?.stop();
  const next = await prepare(key, [usd, "30"], usd, { usd: "30" });
  await sendSteps(origin, next.sender, next.steps);
  await readUntil(key, `/v1/swaps/routes/${next.routeId}`, "completed");
  const { client } = api.platform.database;
  const open = () =>
    client`select network, nonce, purpose, status, hash from relayer_sends where status <> 'done'`;
  await expect.poll(open).toEqual([]);
  await second.stop();
});
