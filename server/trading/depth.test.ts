import { expect, test } from "vitest";
import { assetPrices } from "#db/schema/prices.ts";
import { defined } from "#server/base/defined.ts";
import { refreshPrices } from "#server/prices/queries.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { SILENT_CHAIN } from "#server/testing/silent-chain.ts";
import { pushPrice } from "#server/testing/trading.ts";

const sandbox = await startTestChain();
// A second chain with another symbol, whose node does not respond.
const silent = {
  ...SILENT_CHAIN,
  chainId: 31339,
  contracts: { ...SILENT_CHAIN.contracts, venue: sandbox.settings.contracts.venue },
  tokens: SILENT_CHAIN.tokens.map((token) =>
    token.asset === "native" ? { ...token, symbol: "MUTE" } : token,
  ),
};
const api = await startApi({ settings: { chains: [sandbox.settings, silent] } });
const { db } = api.platform.database;
const chain = defined(api.platform.chains.all[0]);

type Depth = { symbol: string; priceUsd: string | null; levels: Level[]; observedAt: string };
type Level = { sizeUsd: string; quantity: string; buyPrice: string | null; sellPrice: string | null };

test("larger orders cost more and bring less, as the pools would fill them now", async () => {
  const { key } = await api.createRootKey();
  const read = async (): Promise<Depth> => {
    const { body } = await api.send("GET", "/v1/trading/depth?symbol=ETH-USD", { key });
    return body.depth;
  };
  // Without a price, orders cannot be measured.
  expect(await read()).toMatchObject({ symbol: "ETH-USD", priceUsd: null, levels: [] });
  await refreshPrices(db, chain);
  const { priceUsd, levels, observedAt } = await read();
  expect(levels.map(({ sizeUsd }) => sizeUsd)).toEqual(["100", "1000", "10000", "100000", "1000000"]);
  const price = Number(priceUsd);
  const filled = levels.filter(({ buyPrice, sellPrice }) => buyPrice !== null && sellPrice !== null);
  expect(filled.length).toBeGreaterThan(1);
  let [dearest, cheapest] = [price, price];
  for (const { sizeUsd, quantity, buyPrice, sellPrice } of filled) {
    expect(Number(quantity) * price).toBeCloseTo(Number(sizeUsd), -Math.log10(Number(sizeUsd)) + 4);
    expect(Number(buyPrice)).toBeGreaterThan(dearest);
    expect(Number(sellPrice)).toBeLessThan(cheapest);
    [dearest, cheapest] = [Number(buyPrice), Number(sellPrice)];
  }
  // Concurrent callers get the same result; later calls read the pools again.
  expect((await read()).observedAt).toBe(observedAt);
  await pushPrice(api, sandbox, { buy: "200000" });
  await refreshPrices(db, chain);
  await expect.poll(async () => Number((await read()).levels[0]?.sellPrice)).toBeGreaterThan(price);
});

test("a node that does not respond causes a 503, and the error for an unknown symbol names the known ones", async () => {
  const { key } = await api.createRootKey();
  const network = "eip155:31339";
  const observedAt = new Date();
  await db
    .insert(assetPrices)
    .values({ network, asset: "native", spotUsd: "5", averageUsd: "5", observedAt });
  const mute = await api.send("GET", "/v1/trading/depth?symbol=MUTE-USD", { key });
  expect([mute.status, mute.body.error.code]).toEqual([503, "service_unavailable"]);
  const unknown = await api.send("GET", "/v1/trading/depth?symbol=DOGE-USD", { key });
  expect(unknown.body.error).toMatchObject({ status: 400, issues: [{ path: "query.symbol" }] });
});
