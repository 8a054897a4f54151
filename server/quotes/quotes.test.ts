import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { quotes } from "#db/schema/quotes.ts";
import { sweepQuotes } from "#server/jobs/drop-old-rows.ts";
import { startApi } from "#server/testing/api.ts";

const api = await startApi();
const { db } = api.platform.database;

/** Creates a quote of a signature, which needs no chain. */
async function makeQuote() {
  const { key, accountId } = await api.createRootKey();
  const makeWallet = async () =>
    (await api.send("POST", "/v1/wallets", { key, body: { label: "Quoted" } })).body.wallet;
  const wallet = await makeWallet();
  const path = `/v1/wallets/${wallet.id}/signatures`;
  const body = { kind: "message", message: "Hello." };
  const { quote } = (await api.send("POST", `${path}/quote`, { key, body })).body;
  const send = (at: string, by = key) => api.send("POST", at, { key: by, body: { quoteId: quote.id } });
  const execute = async () => {
    const { status, body } = await send(path);
    return [status, body.error?.code ?? body.signature.status];
  };
  const expire = (msAgo: number) =>
    db
      .update(quotes)
      .set({ expiresAt: new Date(Date.now() - msAgo) })
      .where(and(eq(quotes.accountId, accountId), eq(quotes.id, quote.id)));
  return { key, quote, path, send, execute, expire, makeWallet };
}

test("lives for sixty seconds and then can't be executed", async () => {
  const { quote, execute, expire } = await makeQuote();
  const lived = Date.parse(quote.expiresAt) - Date.parse(quote.createdAt);
  expect(Math.round(lived / 1000)).toBe(60);
  await expire(1);
  expect(await execute()).toEqual([410, "quote_expired"]);
});

test("becomes one resource only, of ten concurrent requests", async () => {
  const { execute } = await makeQuote();
  const executed = await Promise.all(Array.from({ length: 10 }, execute));
  const conflicts = Array.from({ length: 9 }, () => [409, "state_conflict"]);
  expect(executed.sort()).toEqual([[201, "signed"], ...conflicts]);
});

test("is missing for another kind, another wallet and another account", async () => {
  const { key, path, send, makeWallet } = await makeQuote();
  const other = await makeQuote();
  const wallet = await makeWallet();
  const elsewhere = [
    send(path.replace("signatures", "transactions")),
    send("/v1/swaps"),
    send("/v1/trading/orders"),
    send(`/v1/wallets/${wallet.id}/signatures`),
    send(other.path),
    send(path, other.key),
  ];
  for (const { status, body } of await Promise.all(elsewhere))
    expect([status, body.error.code]).toEqual([404, "not_found"]);
  expect((await send(path, key)).status).toBe(201);
});

test("is forgotten a day after it expired unused, and a month after where it was executed", async () => {
  const day = 86_400_000;
  const [unused, used, fresh] = [await makeQuote(), await makeQuote(), await makeQuote()];
  await used.execute();
  await unused.expire(1.1 * day);
  await used.expire(30 * day);
  expect(await sweepQuotes(db)).toBe(1);
  expect(await unused.execute()).toEqual([404, "not_found"]);
  expect(await used.execute()).toEqual([409, "state_conflict"]);
  await used.expire(32 * day);
  expect(await sweepQuotes(db)).toBe(1);
  expect(await fresh.execute()).toEqual([201, "signed"]);
});
