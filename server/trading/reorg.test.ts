import { erc20Abi, parseEther, parseUnits } from "viem";
import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { orderWith, placeOrder, pushPrice } from "#server/testing/trading.ts";
import { createWallet, startSending } from "#server/testing/transactions.ts";

const sandbox = await startTestChain();
const api = await startApi({ settings: { chains: [sandbox.settings] } });
let engine = await startSending(api);
afterAll(() => engine.stop());
const worker = await startJobs(api);
afterAll(worker.stop);

async function createTrader() {
  const { key } = await createPayingKey(api, 1000);
  const wallet = await createWallet(api, sandbox, key, { eth: "10", usd: "100000" });
  const position = async () => (await api.send("GET", "/v1/trading/positions", { key })).body.positions[0];
  const read = async (id: string) => (await api.send("GET", `/v1/trading/orders/${id}`, { key })).body.order;
  return { key, wallet, position, read };
}

/** Removes the newest block from the chain, and lets somebody else trade before its transactions are sent again. */
async function reorganise(push: Parameters<typeof pushPrice>[2]) {
  await engine.stop();
  await sandbox.reorganise(1);
  await pushPrice(api, sandbox, push);
  engine = await startSending(api);
}

test("a trade that a reorganisation moves into another block counts once, with the amounts moved there", async () => {
  const { key, wallet, position, read } = await createTrader();
  const terms = { walletId: wallet.id, side: "buy", type: "market", quantity: "2" };
  const before = await orderWith(api, key, await placeOrder(api, key, terms), "filled");
  await reorganise({ sell: "20" });
  await expect.poll(async () => (await read(before.id)).updatedAt).not.toBe(before.updatedAt);
  const after = await orderWith(api, key, before, "filled");
  expect(after.fills).toMatchObject([{ quantity: "2", transactionHash: before.fills[0].transactionHash }]);
  expect(Number(after.averagePrice)).toBeLessThan(Number(before.averagePrice));
  const left = await sandbox.client.readContract({
    address: sandbox.token("USD"),
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [wallet.address],
  });
  const paid = parseUnits("100000", 6) - left;
  expect(parseEther(after.averagePrice) * 2n).toBe(paid * 10n ** 12n);
  expect(await position()).toMatchObject({ quantity: "2", averageEntryPrice: after.averagePrice });
  expect(after).toMatchObject({ chargedCredits: 5, fees: [{ type: "network" }] });
  await pushPrice(api, sandbox, { buy: "60000" });
});

test("an order whose trade fails after a reorganisation has filled nothing, and is open again", async () => {
  const { key, wallet, position, read } = await createTrader();
  const market = { walletId: wallet.id, side: "buy", type: "market", quantity: "1" };
  const held = await orderWith(api, key, await placeOrder(api, key, market), "filled");
  const limit = { ...market, type: "limit", quantity: "3", limitPrice: "3060" };
  const filled = await orderWith(api, key, await placeOrder(api, key, limit), "filled");
  expect((await position()).quantity).toBe("4");
  await reorganise({ buy: "2000000" });
  await orderWith(api, key, filled, "open");
  await expect.poll(async () => (await read(filled.id)).fees[0].amount).not.toBe("0");
  expect(await read(filled.id)).toMatchObject({
    status: "open",
    filledQuantity: "0",
    fills: [],
    endedAt: null,
  });
  expect(await position()).toMatchObject({ quantity: "1", averageEntryPrice: held.averagePrice });
});
