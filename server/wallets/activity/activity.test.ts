import { type Address, encodeFunctionData, erc20Abi } from "viem";
import { afterAll, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { refreshPrices } from "#server/prices/queries.ts";
import { signInMember } from "#server/testing/console.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startSwaps, swap } from "#server/testing/swaps.ts";
import { orderWith, placeOrder } from "#server/testing/trading.ts";
import {
  createWallet,
  RECIPIENT,
  send,
  startSending,
  transactionWith,
} from "#server/testing/transactions.ts";

const { origin, api, readUntil } = await startSwaps();
const engine = await startSending(api);
afterAll(engine.stop);
const network = "eip155:31337";
const usd = defined(origin.token("USD"));
const router = defined(origin.settings.contracts.venue?.router);
await refreshPrices(api.platform.database.db, defined(api.platform.chains.find(network)));

async function makeWallet() {
  const { key, accountId } = await createPayingKey(api, 100);
  const wallet = await createWallet(api, origin, key, { eth: "2", usd: "100" });
  const viewer = await signInMember(api, accountId, "viewer");
  const activity = async (page: Record<string, unknown> = {}) =>
    (await viewer.query("wallets.activity.list", { walletId: wallet.id, ...page })).data;
  return { key, wallet, activity };
}

test("describes sends, allowances and calls in words, each linked to its transaction", async () => {
  const { key, wallet, activity } = await makeWallet();
  const call = (functionName: "transfer" | "approve", to: Address, amount: bigint) => ({
    network,
    to: usd,
    asset: "native",
    amount: "0",
    data: encodeFunctionData({ abi: erc20Abi, functionName, args: [to, amount] }),
  });
  const sends = [
    { network, to: RECIPIENT, asset: usd, amount: "5" },
    call("approve", router, 20_000_000n),
    { network, to: usd, asset: "native", amount: "0", data: "0x18160ddd" },
  ];
  const sent = [];
  for (const body of sends) {
    const made = await send(api, key, wallet.id, body);
    sent.push(await transactionWith(api, key, made, "confirmed"));
  }
  const { activity: listed } = await activity();
  expect(listed.slice(0, 3)).toMatchObject([
    {
      id: sent[2].id,
      summary: `Made a call that can't be decoded: 0x18160ddd of ${usd}`,
      status: "confirmed",
    },
    { id: sent[1].id, summary: `Allowed ${router} to spend 20 USD`, type: "transaction" },
    { id: sent[0].id, summary: `Sent 5 USD to ${RECIPIENT}`, transactions: [{ source: null }] },
  ]);
  expect(sent[1].calls).toEqual([
    {
      contract: usd,
      method: "approve(address,uint256)",
      arguments: [
        { name: "spender", type: "address", value: router },
        { name: "amount", type: "uint256", value: "20000000" },
      ],
    },
  ]);
  expect(sent[2].calls).toEqual([{ contract: usd, method: "0x18160ddd", arguments: null }]);
});

test("shows a swap's transactions as its parts, at one place of the list", async () => {
  const { key, wallet, activity } = await makeWallet();
  const made = await swap(api, key, wallet.id, {
    from: { network, asset: usd, amount: "60" },
    to: { network, asset: "native" },
  });
  const done = await readUntil(key, `/v1/swaps/${made.id}`, "completed");
  const last = await send(api, key, wallet.id);
  await transactionWith(api, key, last, "confirmed");
  const { activity: newest, nextCursor } = await activity({ limit: 1 });
  expect(newest).toMatchObject([{ id: last.id, summary: `Sent 0.01 ETH to ${RECIPIENT}` }]);
  const { activity: older } = await activity({ limit: 1, cursor: nextCursor });
  expect(older).toMatchObject([
    {
      id: made.id,
      type: "swap",
      status: "completed",
      summary: `Swapped 60 USD for ${done.to.received} ETH`,
      transactions: [
        { summary: `Allowed ${router} to spend 60 USD`, source: { type: "swap", id: made.id } },
        { summary: expect.stringContaining("60 USD"), source: { type: "swap", id: made.id } },
      ],
    },
  ]);
  const ids = async (query: Record<string, unknown>) =>
    (await activity(query)).activity.map(({ id }: { id: string }) => id);
  const sentBySwap = older[0].transactions[1];
  for (const search of [made.id, sentBySwap.id, sentBySwap.hash.toUpperCase().slice(2, 30)])
    expect(await ids({ search })).toEqual([made.id]);
  expect(await ids({ type: "swap" })).toEqual([made.id]);
  expect(await ids({ type: "order" })).toEqual([]);
  expect(await ids({ search: RECIPIENT.slice(0, 12).toLowerCase() })).toEqual([last.id]);
  expect(await ids({ direction: "out", sort: "createdAt" })).toEqual([made.id, last.id]);
  expect(await ids({ direction: "out", from: last.createdAt })).toEqual([last.id]);
  expect(await ids({ direction: "out", to: last.createdAt })).toEqual([made.id]);
  expect(await ids({ network: "eip155:1" })).toEqual([]);
  expect((await activity({ total: "include", type: "transaction", direction: "out" })).total).toEqual({
    count: 1,
    more: false,
  });

  const listed = async (query: string) => {
    const path = `/v1/wallets/${wallet.id}/transactions?${query}`;
    const { transactions } = await api.mustSend(200, "GET", path, { key });
    return transactions.map(({ id }: { id: string }) => id);
  };
  expect(await listed(`search=${sentBySwap.hash}`)).toEqual([sentBySwap.id]);
  expect(await listed(`direction=out&createdBefore=${last.createdAt}&sort=createdAt`)).toEqual(
    older[0].transactions.map(({ id }: { id: string }) => id),
  );
  expect(await listed(`createdAfter=${last.createdAt}`)).toEqual([]);
  expect(await listed("network=eip155:1")).toEqual([]);

  const parts = older[0].transactions[1].calls.map(({ method }: { method: string }) => method.split("(")[0]);
  expect(parts).toEqual(["exactInput", "unwrapWETH9"]);
});

test("shows an order's trades as the order", async () => {
  const { key, wallet, activity } = await makeWallet();
  const terms = { walletId: wallet.id, side: "buy", type: "market", quantity: "0.01" };
  const { id } = await placeOrder(api, key, terms);
  await orderWith(api, key, { id }, "filled");
  const { activity: listed } = await activity();
  expect(listed).toContainEqual(
    expect.objectContaining({
      id,
      type: "order",
      status: "filled",
      summary: expect.stringMatching(/^Bought 0\.01 ETH for \d+(\.\d+)? USD \(order\)$/),
    }),
  );
  expect(listed.filter(({ type }: { type: string }) => type === "order")).toHaveLength(1);
});
