import { expect, test } from "vitest";
import { assetPrices } from "#db/schema/prices.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { newId } from "#server/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { selectWallets, type WalletRow } from "./queries.ts";

const NETWORK = "eip155:31337";

const chain = await startTestChain();
const api = await startApi({ settings: { chains: [chain.settings] } });

async function makeWallet() {
  const { key } = await api.createRootKey();
  const { wallet } = (await api.send("POST", "/v1/wallets", { key, body: { label: "Balances" } })).body;
  const read = (query = "") => api.send("GET", `/v1/wallets/${wallet.id}/balances${query}`, { key });
  const of = async (symbol: string) =>
    (await read()).body.balances.find((balance: { symbol: string }) => balance.symbol === symbol);
  return { wallet, key, read, of };
}

/** Writes down something that the wallet is about to send. */
async function promise(walletId: string, sent: Partial<typeof walletTransactions.$inferInsert>) {
  const { db } = api.platform.database;
  const { accountId, address } = (await selectWallets(db)).find((row) => row.id === walletId) as WalletRow;
  await db.insert(walletTransactions).values({
    ...{ accountId, walletId, id: newId("transaction"), network: NETWORK, direction: "out" },
    ...{ status: "reserved", from: address, to: address, asset: "native", amount: "0" },
    ...sent,
  });
}

test("answers what the chain says of every asset that it lists, with its value", async () => {
  const { wallet, read, of } = await makeWallet();
  await chain.fund(wallet.address, { eth: "2.5", usd: "1000.25" });
  const price = { spotUsd: "3000.5", averageUsd: "1", observedAt: new Date() };
  await api.platform.database.db
    .insert(assetPrices)
    .values({ network: NETWORK, asset: "native", ...price })
    .onConflictDoUpdate({ target: [assetPrices.network, assetPrices.asset], set: price });
  const { status, body } = await read(`?network=${NETWORK}`);
  expect(status).toBe(200);
  expect(body.balances.map(({ symbol }: { symbol: string }) => symbol)).toEqual(
    chain.settings.tokens.map(({ symbol }) => symbol),
  );
  expect(await of("ETH")).toMatchObject({
    ...{ network: NETWORK, asset: "native", decimals: 18, amount: "2.5", reserved: "0", available: "2.5" },
    ...{ valueUsd: "7501.25", projectId: null, endUser: null },
  });
  expect(await of("USD")).toMatchObject({
    ...{ asset: chain.settings.contracts.usd, decimals: 6, amount: "1000.25", valueUsd: "1000.25" },
  });
});

test("reserves what is promised until the chain has it, and shows what is left", async () => {
  const { wallet, of } = await makeWallet();
  await chain.fund(wallet.address, { eth: "2", usd: "100" });
  const { usd } = chain.settings.contracts;
  await promise(wallet.id, { amount: "0.5", status: "awaiting_approval" });
  await promise(wallet.id, { asset: usd, amount: "30", callValue: String(10n ** 17n), status: "broadcast" });
  await promise(wallet.id, { amount: "1", status: "broadcast", blockNumber: 5 });
  await promise(wallet.id, { amount: "1", status: "failed" });
  expect(await of("ETH")).toMatchObject({ amount: "2", reserved: "0.6", available: "1.4" });
  expect(await of("USD")).toMatchObject({ amount: "100", reserved: "30", available: "70" });
  await promise(wallet.id, { asset: usd, amount: "90" });
  expect(await of("USD")).toMatchObject({ amount: "100", reserved: "120", available: "0" });
});

test("refuses a network that this installation does not have, naming those that it has", async () => {
  const { read } = await makeWallet();
  const { body } = await read("?network=eip155:1");
  expect(body.error).toMatchObject({ code: "invalid_request", issues: [{ path: "query.network" }] });
  expect(body.error.message).toContain(NETWORK);
});

test("answers 503 naming CHAINS while the chain is away, and the balances when it is back", async () => {
  const { wallet, read } = await makeWallet();
  await chain.fund(wallet.address, { eth: "1" });
  await chain.stop();
  const { body } = await read();
  expect(body.error).toMatchObject({
    status: 503,
    code: "service_unavailable",
    operationState: "not_started",
  });
  expect(body.error.message).toContain("CHAINS");
  await chain.start();
  expect((await read()).body.balances[0]).toMatchObject({ symbol: "ETH", amount: "1" });
});
