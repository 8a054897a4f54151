import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { orderWith, placeOrder, pushPrice } from "#server/testing/trading.ts";
import { createWallet, startSending } from "#server/testing/transactions.ts";

const sandbox = await startTestChain();
const api = await startApi({ settings: { chains: [sandbox.settings] } });
const engine = await startSending(api);
const worker = await startJobs(api);
afterAll(() => Promise.all([engine.stop(), worker.stop()]));

test("shows positions, balances and markets without a value in USD while the price is far from its average", async () => {
  const { key } = await createPayingKey(api, 1000);
  const { id: walletId } = await createWallet(api, sandbox, key, { eth: "1", usd: "100000" });
  const read = async (path: string) => await api.mustSend(200, "GET", path, { key });
  const position = async () => (await read("/v1/trading/positions")).positions[0];
  const order = await placeOrder(api, key, { walletId, side: "buy", type: "market", quantity: "2" });
  const { averagePrice } = await orderWith(api, key, order, "filled");
  const before = await position();
  expect(before).toMatchObject({ marketPrice: expect.any(String), marketValueUsd: expect.any(String) });

  await pushPrice(api, sandbox, { sell: "2000" });
  // Prices that were read in the last seconds are not read again.
  await expect.poll(async () => (await position()).marketPrice).toBeNull();
  expect(await position()).toEqual({
    ...before,
    averageEntryPrice: averagePrice,
    marketPrice: null,
    marketValueUsd: null,
    unrealizedPnlUsd: null,
    asOf: expect.any(String),
  });
  const { balances } = await read(`/v1/wallets/${walletId}/balances`);
  const values = balances.map(({ symbol, valueUsd }: Record<string, string>) => [symbol, valueUsd]);
  expect(values).toContainEqual(["ETH", null]);
  expect(values).toContainEqual(["USD", expect.stringMatching(/^9\d{4}/)]);
  const { markets } = await read("/v1/trading/markets");
  expect(markets[0]).toMatchObject({ symbol: "ETH-USD", priceUsd: null, averageUsd: null, observedAt: null });
});
