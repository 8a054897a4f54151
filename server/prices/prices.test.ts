import { sql } from "drizzle-orm";
import { createWalletClient, http, parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { waitForReceipt } from "#server/providers/chain/wait-for-receipt.ts";
import { venueOf } from "#server/providers/venue/venue-of.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { pricesOf, refreshPrices } from "./queries.ts";
import { recordPrices } from "./record-prices.ts";

const sandbox = await startTestChain();
const api = await startApi({ settings: { chains: [sandbox.settings] } });
const chain = defined(api.platform.chains.all[0]);

const db = () => api.platform.database.db;

/** Makes all recorded prices older. */
async function age(seconds: number) {
  for (const table of ["asset_prices", "asset_price_samples"])
    await db().execute(
      sql`update ${sql.identifier(table)} set observed_at = observed_at - ${seconds} * interval '1 second'`,
    );
}

async function nativePrice() {
  const prices = await pricesOf(db(), chain.network, ["native"]);
  const { spotUsd = "", averageUsd = "" } = prices.get("native") ?? {};
  return { spot: Number(spotUsd), average: Number(averageUsd) };
}

/** Sells the native asset; 400 lower the price of the deepest pool by about a thirteenth. */
async function pushDown(amount = "400") {
  const account = privateKeyToAccount(generatePrivateKey());
  await sandbox.fund(account.address, { eth: "3000" });
  const venue = defined(venueOf(chain));
  const ask = { from: "native", to: chain.contracts.usd, amountIn: parseEther(amount) } as const;
  const quote = defined(await venue.quoteExactIn(ask));
  const deadline = 10n ** 12n;
  const { to, value, data, gas } = venue.buildSwap({
    quote,
    recipient: account.address,
    limit: 0n,
    deadline,
  });
  const client = createWalletClient({ account, chain: chain.client.chain, transport: http(chain.rpcUrl) });
  const hash = await client.sendTransaction({ chain: null, to, value, data, gas });
  await waitForReceipt(chain.client, hash);
}

test("a pushed price moves the spot price at once, and the average in proportion to its duration", async () => {
  await refreshPrices(db(), chain);
  const before = await nativePrice();
  expect(before.average / before.spot).toBeCloseTo(1, 3);

  await age(60);
  await pushDown();
  await refreshPrices(db(), chain);
  const pushed = await nativePrice();
  expect(pushed.spot / before.spot).toBeLessThan(0.94);
  expect(pushed.average / before.average).toBeCloseTo(1, 2);

  // Ten minutes later, it has held for a third of the averaged time.
  await age(60);
  await sandbox.client.increaseTime({ seconds: 600 });
  await sandbox.mine();
  await refreshPrices(db(), chain);
  const later = await nativePrice();
  expect(later.spot).toBe(pushed.spot);
  expect(later.average / before.average).toBeGreaterThan(0.96);
  expect(later.average / before.average).toBeLessThan(0.98);
});

test("if the venue remembers too little, the average is computed from recorded prices", async () => {
  const asset = "0x000000000000000000000000000000000000dEaD";
  const note = (spotUsd: string) =>
    recordPrices(db(), chain.network, new Map([[asset, { spotUsd, averageUsd: null, reliable: true }]]));
  const average = async () => Number((await pricesOf(db(), chain.network, [asset])).get(asset)?.averageUsd);

  await note("100");
  expect(await average()).toBe(100);
  await age(1500);
  await note("90");
  expect(await average()).toBeCloseTo(100, 6);
  await age(600);
  await note("90");
  expect(await average()).toBeCloseTo(96.67, 1);
});

test("a price that was just read is not read again", async () => {
  await age(60);
  await refreshPrices(db(), chain);
  const before = await nativePrice();
  await pushDown();
  await refreshPrices(db(), chain);
  expect(await nativePrice()).toEqual(before);
});

test("the test USD is worth one, whatever the trades", async () => {
  await age(60);
  await refreshPrices(db(), chain);
  const prices = await pricesOf(db(), chain.network, [chain.contracts.usd, "native"]);
  expect(prices.get(chain.contracts.usd)).toMatchObject({ spotUsd: "1", averageUsd: "1" });
  expect(prices.size).toBe(2);
});

test("a price that nobody has confirmed for ten minutes is none", async () => {
  await age(60);
  await refreshPrices(db(), chain);
  await age(601);
  expect(await pricesOf(db(), chain.network, ["native"])).toEqual(new Map());
});

test("a price that trades have taken far from its average, or pools from each other, is none", async () => {
  await age(60);
  await refreshPrices(db(), chain);
  expect((await pricesOf(db(), chain.network, ["native"])).size).toBe(1);
  await pushDown("2000");
  await age(60);
  await refreshPrices(db(), chain);
  expect(await pricesOf(db(), chain.network, ["native"])).toEqual(new Map());
});
