import { zeroAddress } from "viem";
import { expect, test } from "vitest";
import { assetPriceSamples, assetPrices } from "#db/schema/prices.ts";
import { startApi } from "#server/testing/api.ts";
import { signUpAndIn } from "#server/testing/console.ts";
import { SILENT_CHAIN } from "#server/testing/silent-chain.ts";

const venue = { factory: zeroAddress, quoter: zeroAddress, router: zeroAddress };
const api = await startApi({
  settings: { chains: [{ ...SILENT_CHAIN, contracts: { ...SILENT_CHAIN.contracts, venue } }] },
});
const { db } = api.platform.database;
const ether = { network: "eip155:31337", asset: "native" };

/** Returns the start of the minute so many minutes ago, plus some seconds. */
const minute = (ago: number, seconds = 0) =>
  new Date((Math.floor(Date.now() / 60_000) - ago) * 60_000 + seconds * 1000);

test("shows the last price of each of the last minutes, and the current price of a market's unit", async () => {
  const member = await signUpAndIn(api);
  const [before, now] = [minute(2, 50), minute(1, 5)];
  await db.insert(assetPriceSamples).values([
    { ...ether, observedAt: minute(200), spotUsd: "1" },
    { ...ether, observedAt: minute(2), spotUsd: "2500" },
    { ...ether, observedAt: before, spotUsd: "2510.5" },
    { ...ether, observedAt: now, spotUsd: "2520" },
  ]);
  await db.insert(assetPrices).values({ ...ether, spotUsd: "2520", averageUsd: "2505.25", observedAt: now });
  const { data } = await member.query("trading.prices.list", { symbol: "ETH-USD" });
  expect(data.prices).toEqual([
    { at: before.toISOString(), priceUsd: "2510.5" },
    { at: now.toISOString(), priceUsd: "2520" },
  ]);
  const { key } = await api.createRootKey();
  const read = async (path: string) => (await api.send("GET", path, { key })).body;
  expect((await read("/v1/trading/prices?symbol=ETH-USD")).prices).toEqual(data.prices);
  const { markets } = await read("/v1/trading/markets");
  expect(markets).toEqual([
    {
      symbol: "ETH-USD",
      network: "eip155:31337",
      priceUsd: "2520",
      averageUsd: "2505.25",
      observedAt: now.toISOString(),
    },
  ]);
});

test("refuses a symbol that nothing trades under, and names those that there are", async () => {
  const member = await signUpAndIn(api);
  const { status, error } = await member.query("trading.prices.list", { symbol: "DOGE-USD" });
  expect(status).toBe(400);
  expect(error).toMatchObject({
    code: "invalid_request",
    issues: [{ path: "query.symbol", message: 'Nothing trades under "DOGE-USD". Send one of ETH-USD.' }],
  });
});
