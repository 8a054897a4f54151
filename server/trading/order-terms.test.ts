import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { placeQuote, quoteOrder } from "#server/testing/trading.ts";
import { createWallet } from "#server/testing/transactions.ts";

const sandbox = await startTestChain();
const api = await startApi({ settings: { chains: [sandbox.settings] } });
const { key } = await createPayingKey(api, 1000);
const wallet = await createWallet(api, sandbox, key, { eth: "10", usd: "10000" });
const TERMS = {
  walletId: wallet.id,
  symbol: "ETH-USD",
  side: "buy",
  type: "limit",
  quantity: "1",
  limitPrice: "2000",
};

const quote = (change: Record<string, unknown>) =>
  api.send("POST", "/v1/trading/quotes", { key, body: { ...TERMS, ...change } });

test("terms that do not go together are refused, each by its field", async () => {
  const refusals: [change: Record<string, unknown>, path: string][] = [
    [{ limitPrice: undefined }, "body.limitPrice"],
    [{ type: "market" }, "body.limitPrice"],
    [{ slippageBps: 10 }, "body.slippageBps"],
    [{ timeInForce: "gtd" }, "body.expiresAt"],
    [{ expiresAt: "2030-01-01T00:00:00.000Z" }, "body.expiresAt"],
    [{ timeInForce: "gtd", expiresAt: "2020-01-01T00:00:00.000Z" }, "body.expiresAt"],
    [{ timeInForce: "gtd", expiresAt: "2090-01-01T00:00:00.000Z" }, "body.expiresAt"],
    [{ quantity: "0" }, "body.quantity"],
    [{ quantity: "1.0000000000000000001" }, "body.quantity"],
    [{ quantity: 1 }, "body.quantity"],
    [{ symbol: "DOGE-USD" }, "body.symbol"],
    [{ recipient: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" }, "body.recipient"],
  ];
  for (const [change, path] of refusals) {
    const { status, body } = await quote(change);
    expect([status, body.error.code, body.error.issues[0].path]).toEqual([400, "invalid_request", path]);
  }
});

test("a wallet or a quote of others is like one that is missing", async () => {
  const other = await createPayingKey(api, 100);
  const body = { ...TERMS };
  const foreign = await api.send("POST", "/v1/trading/quotes", { key: other.key, body });
  expect([foreign.status, foreign.body.error.code]).toEqual([404, "not_found"]);
  expect((await quote({ walletId: "wal_none" })).status).toBe(404);
  const { id } = await quoteOrder(api, key, TERMS);
  expect((await placeQuote(api, other.key, { quoteId: id })).status).toBe(404);
  expect((await placeQuote(api, key, { quoteId: "quo_none" })).status).toBe(404);
});

test("a quote is used once, and only while it lives", async () => {
  const used = await quoteOrder(api, key, TERMS);
  expect((await placeQuote(api, key, { quoteId: used.id })).status).toBe(202);
  const again = await placeQuote(api, key, { quoteId: used.id });
  expect([again.status, again.body.error.code]).toEqual([409, "state_conflict"]);
  const old = await quoteOrder(api, key, TERMS);
  await api.platform.database.client`update quotes set expires_at = now() where used_by is null`;
  const late = await placeQuote(api, key, { quoteId: old.id });
  expect([late.status, late.body.error.code]).toEqual([410, "quote_expired"]);
});

test("a market order for more than the pools hold has no quote", async () => {
  const { status, body } = await quote({ type: "market", limitPrice: undefined, quantity: "1000000" });
  expect([status, body.error.code]).toEqual([409, "state_conflict"]);
});

test("a chain that is away makes quotes unavailable, naming the setting, until it is back", async () => {
  await sandbox.stop();
  const { status, body, headers } = await quote({});
  expect([status, body.error.code]).toEqual([503, "service_unavailable"]);
  expect(body.error.message).toContain("CHAINS");
  expect(headers.get("retry-after")).toBe("5");
  // Reads of the database continue meanwhile.
  expect((await api.send("GET", "/v1/trading/orders", { key })).status).toBe(200);
  expect((await api.send("GET", "/v1/trading/positions", { key })).status).toBe(200);
  await sandbox.start();
  expect((await quote({})).status).toBe(201);
});
