import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { quotes } from "#db/schema/quotes.ts";
import type { Caller } from "#server/operation/caller.ts";
import { startApi } from "#server/testing/api.ts";
import { selectWallets, type WalletRow } from "#server/wallets/queries.ts";
import { insertQuote, takeQuote } from "./queries.ts";
import { sweepQuotes } from "./sweep-quotes.ts";

const api = await startApi();
const { db } = api.platform.database;

async function makeQuote() {
  const { key, accountId } = await api.createRootKey();
  const { id } = (await api.send("POST", "/v1/wallets", { key, body: { label: "Quoted" } })).body.wallet;
  const wallet = (await selectWallets(db)).find((row) => row.id === id) as WalletRow;
  const quote = await db.transaction((tx) =>
    insertQuote(tx, {
      wallet,
      kind: "transaction",
      input: { amount: "1" },
      expected: null,
      minimum: null,
      fees: [],
      chargedCredits: 5,
      policy: { decision: "allow", reasons: [] },
      plan: { value: "1" },
    }),
  );
  const caller: Caller = {
    type: "system",
    accountId,
    id: "system",
    label: "Platform",
    scopes: [],
    creditTokenId: null,
    project: null,
    endUser: null,
    privacyTier: "standard",
  };
  const take = (usedBy: string, more: Partial<Parameters<typeof takeQuote>[1]> = {}) =>
    db.transaction((tx) =>
      takeQuote(tx, { caller, quoteId: quote.id, kind: "transaction", usedBy, ...more }),
    );
  return { quote, take, caller, wallet };
}

test("lives for sixty seconds and then can't be executed", async () => {
  const { quote, take, wallet } = await makeQuote();
  const lived = Date.parse(quote.expiresAt) - Date.parse(quote.createdAt);
  expect(Math.round(lived / 1000)).toBe(60);
  await db
    .update(quotes)
    .set({ expiresAt: new Date(Date.now() - 1) })
    .where(and(eq(quotes.accountId, wallet.accountId), eq(quotes.id, quote.id)));
  await expect(take("tx_1")).rejects.toMatchObject({ code: "quote_expired" });
});

test("becomes one thing only, of ten that want it at once", async () => {
  const { take } = await makeQuote();
  const taken = await Promise.allSettled([...Array(10).keys()].map((index) => take(`tx_${index}`)));
  expect(taken.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expect(take("tx_late")).rejects.toMatchObject({ code: "state_conflict" });
});

test("keeps the plan of its execution", async () => {
  const { take, wallet } = await makeQuote();
  expect(await take("tx_1", { walletId: wallet.id })).toMatchObject({ plan: { value: "1" }, usedBy: "tx_1" });
});

test("is missing for another kind, another wallet and another account", async () => {
  const { take, caller } = await makeQuote();
  const other = await makeQuote();
  await expect(take("sig_1", { kind: "signature" })).rejects.toMatchObject({ code: "not_found" });
  await expect(take("tx_1", { walletId: other.wallet.id })).rejects.toMatchObject({ code: "not_found" });
  const stranger = { ...caller, accountId: other.wallet.accountId };
  await expect(take("tx_1", { caller: stranger })).rejects.toMatchObject({ code: "not_found" });
});

test("is forgotten a day after it expired unused, and a month after where it was executed", async () => {
  const [unused, used, fresh] = [await makeQuote(), await makeQuote(), await makeQuote()];
  await used.take("tx_1");
  const age = (quote: { id: string }, days: number) =>
    db
      .update(quotes)
      .set({ expiresAt: new Date(Date.now() - days * 86_400_000) })
      .where(eq(quotes.id, quote.id));
  await age(unused.quote, 1.1);
  await age(used.quote, 30);
  expect(await sweepQuotes(db)).toBe(1);
  await expect(unused.take("tx_2")).rejects.toMatchObject({ code: "not_found" });
  await expect(used.take("tx_2")).rejects.toMatchObject({ code: "state_conflict" });
  await age(used.quote, 32);
  expect(await sweepQuotes(db)).toBe(1);
  expect(await fresh.take("tx_3")).toMatchObject({ usedBy: "tx_3" });
});
