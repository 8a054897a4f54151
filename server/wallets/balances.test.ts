import { encodeFunctionData, erc20Abi } from "viem";
import { expect, test } from "vitest";
import { assetPrices } from "#db/schema/prices.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { sendCall } from "#server/testing/swaps.ts";

const NETWORK = "eip155:31337";

const chain = await startTestChain();
const api = await startApi({ settings: { chains: [chain.settings] } });

async function makeWallet() {
  const { key } = await createPayingKey(api, 100);
  const { wallet } = (await api.send("POST", "/v1/wallets", { key, body: { label: "Balances" } })).body;
  const read = (query = "") => api.send("GET", `/v1/wallets/${wallet.id}/balances${query}`, { key });
  const of = async (symbol: string) =>
    (await read()).body.balances.find((balance: { symbol: string }) => balance.symbol === symbol);
  return { wallet, key, read, of };
}

test("returns the chain's balance of every listed asset, with its value", async () => {
  const { wallet, read, of } = await makeWallet();
  await chain.fund(wallet.address, { eth: "2.5", usd: "1000.25" });
  const price = { spotUsd: "3000.5", averageUsd: "3000", observedAt: new Date() };
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
    network: NETWORK,
    asset: "native",
    decimals: 18,
    amount: "2.5",
    reserved: "0",
    available: "2.5",
    valueUsd: "7501.25",
    projectId: null,
    endUser: null,
  });
  expect(await of("USD")).toMatchObject({
    asset: chain.settings.contracts.usd,
    decimals: 6,
    amount: "1000.25",
    valueUsd: "1000.25",
  });
});

test("shows the whole balance as reserved if the chain has less than the reserved amount", async () => {
  const { wallet, key, of } = await makeWallet();
  await chain.fund(wallet.address, { eth: "1", usd: "100" });
  const { usd } = chain.settings.contracts;
  const terms = { walletId: wallet.id, symbol: "ETH-USD", side: "buy", type: "limit", quantity: "0.08" };
  const quoted = await api.send("POST", "/v1/trading/quotes", {
    key,
    body: { ...terms, limitPrice: "1000" },
  });
  await api.send("POST", "/v1/trading/orders", { key, body: { quoteId: quoted.body.quote.id } });
  expect(await of("USD")).toMatchObject({ amount: "100", reserved: "80", available: "20" });
  // For example by somebody with an old allowance of the wallet.
  const args = [chain.accounts.treasury.address, 50_000_000n] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args });
  await sendCall(chain, wallet.address, { to: usd, data, value: 0n, gas: 100_000n });
  expect(await of("USD")).toMatchObject({ amount: "50", reserved: "50", available: "0" });
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
