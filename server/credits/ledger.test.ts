import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { newId, newUuid, uuidOf } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { isDatabaseGone } from "#server/operation/faults.ts";
import { startApi } from "#server/testing/api.ts";
import { keyCaller } from "#server/testing/callers.ts";
import { mapConcurrently } from "#server/testing/map-concurrently.ts";
import type { Charge } from "./charge.ts";
import { chargeCredits } from "./charge-credits.ts";
import { captureHold, holdCredits, releaseHold } from "./hold-credits.ts";
import { grantCredits } from "./post-credits.ts";
import { releaseExpiredHolds } from "./release-expired-holds.ts";

const api = await startApi();
const { db } = api.platform.database;
const PUT = ["services.invoke.managed-memory.put", "services.invoke.managed-memory", "services.invoke"];

/** Creates an account with credits; returns a child key with these limits as a caller. */
async function createPayer(credits: number, limits: Record<string, unknown> = {}) {
  const { accountId, apiKey } = await api.createRootKey({ limits });
  if (credits > 0)
    await db.transaction((tx) =>
      grantCredits(tx, { accountId, credits, reference: "grant", description: "Welcome" }),
    );
  return { accountId, caller: keyCaller(accountId, [apiKey.id]) };
}

function chargeOf(caller: Caller, credits: number, selectors = PUT): Charge {
  return {
    caller,
    selectors,
    credits,
    description: "A call",
    priceVersion: "test",
    requestId: newId("request"),
  };
}

/** Returns the account's available and held credits, and the sum over all its books and entries. */
async function booksOf(accountId: string) {
  const account = uuidOf("account", accountId);
  const [row] = await db.execute<Record<string, number>>(sql`
    select (sum(posted) filter (where book = 'customer'))::int as posted, sum(held)::int as held, sum(posted)::int as books,
      (select sum(amount)::int from ledger_entries where account_id = ${account}) as entries
    from ledger_accounts where account_id = ${account}`);
  return row;
}

function outcomes(settled: PromiseSettledResult<unknown>[]) {
  const counts: Record<string, number> = {};
  for (const one of settled) {
    const name = one.status === "fulfilled" ? "done" : (one.reason.code ?? String(one.reason));
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/**
 * Does so many things, dozens at the same time. A busy machine's database may take too long for one that waits for all
 * others: then it is done again, with the same ids.
 */
async function settle(count: number, make: (nth: number) => () => Promise<unknown>) {
  const acts = Array.from({ length: count }, (_, nth) => make(nth));
  return mapConcurrently(acts, 60, async (act) => {
    for (;;) {
      const [settled] = await Promise.allSettled([act()]);
      if (settled.status === "fulfilled" || !isDatabaseGone(settled.reason)) return settled;
    }
  });
}

test("lets 1,000 concurrent charges over three processes' connections spend exactly the balance", async () => {
  const { accountId, caller } = await createPayer(700);
  const pools = [api.open(), api.open(), api.open()];
  const settled = await settle(1000, (nth) => {
    const { db } = defined(pools[nth % 3]);
    const charge = chargeOf(caller, 1);
    return () => db.transaction((tx) => chargeCredits(tx, charge));
  });
  await Promise.all(pools.map((pool) => pool.close()));
  expect(outcomes(settled)).toEqual({ done: 700, insufficient_credits: 300 });
  expect(await booksOf(accountId)).toEqual({ posted: 0, held: 0, books: 0, entries: 0 });
});

test("never overdraws by holds, captures, releases and charges at once", async () => {
  const { accountId, caller } = await createPayer(1000, { "*": { creditsPerDay: 1_000_000 } });
  const pools = [api.open(), api.open(), api.open()];
  const settled = await settle(300, (nth) => {
    const { db } = defined(pools[nth % 3]);
    const [id, charge] = [newUuid(), chargeOf(caller, nth % 3 === 0 ? 3 : 10)];
    if (nth % 3 === 0) return () => db.transaction((tx) => chargeCredits(tx, charge));
    return async () => {
      const hold = await db.transaction((tx) => holdCredits(tx, id, charge));
      await db.transaction((tx) => captureHold(tx, hold, nth % 3 === 1 ? 7 : 0, 7));
    };
  });
  const counts = outcomes(settled);
  await Promise.all(pools.map((pool) => pool.close()));
  expect(Object.keys(counts).filter((name) => name !== "done" && name !== "insufficient_credits")).toEqual(
    [],
  );
  const books = await booksOf(accountId);
  expect(books).toMatchObject({ held: 0, books: 0, entries: 0 });
  const [spent] = await db.execute<{ used: number }>(
    sql`select used::int from key_days where key_id = ${uuidOf("apiKey", caller.id)}`,
  );
  expect((books?.posted ?? 0) + (spent?.used ?? 0)).toBe(1000);
});

test("lets parallel charges never pass a day's cap of the key above", async () => {
  const root = await createPayer(10_000, { "services.invoke": { creditsPerDay: 100 } });
  const caller = keyCaller(root.accountId, [newId("apiKey"), root.caller.id]);
  const pools = [api.open(), api.open()];
  const settled = await settle(200, (nth) => {
    const { db } = defined(pools[nth % 2]);
    const [id, charge] = [newUuid(), chargeOf(caller, 1)];
    return () =>
      db.transaction<unknown>((tx) =>
        nth % 4 < 2 ? chargeCredits(tx, charge) : holdCredits(tx, id, charge),
      );
  });
  await Promise.all(pools.map((pool) => pool.close()));
  expect(outcomes(settled)).toEqual({ done: 100, limit_exhausted: 100 });
});

test("caps the sum of all charged operations under *, and names the highest key that refuses", async () => {
  const root = await createPayer(10_000, { "*": { creditsPerDay: 10 }, "runs.create": { creditsPerDay: 5 } });
  const caller = keyCaller(root.accountId, [newId("apiKey"), root.caller.id]);
  const charge = (credits: number, selectors: string[]) =>
    db.transaction((tx) => chargeCredits(tx, chargeOf(caller, credits, selectors)));
  await charge(5, ["runs.create.managed-memory.export", "runs.create.managed-memory", "runs.create"]);
  await charge(5, ["wallets.transactions.create"]);
  await expect(charge(1, ["swaps.execute"])).rejects.toMatchObject({
    code: "limit_exhausted",
    details: {
      check: "limit",
      keyId: root.caller.id,
      limit: { operation: "*", kind: "creditsPerDay", limit: 10, keyId: root.caller.id },
      headers: { "x-service-limit-operation": "swaps.execute" },
    },
  });
});

test("returns the uncaptured part to the balance and to the day's limit", async () => {
  const { accountId, caller } = await createPayer(100, { "services.invoke": { creditsPerDay: 20 } });
  const hold = (credits: number) =>
    db.transaction((tx) => holdCredits(tx, newUuid(), chargeOf(caller, credits)));
  const first = await hold(20);
  await expect(hold(1)).rejects.toMatchObject({ code: "limit_exhausted" });
  expect(await booksOf(accountId)).toMatchObject({ posted: 100, held: 20 });
  expect(await db.transaction((tx) => captureHold(tx, first, 15, 3))).toBe(15);
  expect(await db.transaction((tx) => captureHold(tx, first, 15, 3))).toBe(15);
  await db.transaction((tx) => releaseHold(tx, first));
  expect(await booksOf(accountId)).toMatchObject({ posted: 85, held: 0 });
  await db.transaction(async (tx) => releaseHold(tx, await holdCredits(tx, newUuid(), chargeOf(caller, 5))));
  await expect(hold(5)).resolves.toMatchObject({ accountId });
});

test("holds once under its id and charges once under its request", async () => {
  const { accountId, caller } = await createPayer(100, { "*": { creditsPerDay: 100 } });
  const id = newUuid();
  const charge = chargeOf(caller, 10);
  for (const _ of [1, 2]) await db.transaction((tx) => holdCredits(tx, id, charge));
  for (const _ of [1, 2]) await db.transaction((tx) => chargeCredits(tx, charge));
  expect(await booksOf(accountId)).toMatchObject({ posted: 90, held: 10 });
  const other = db.transaction((tx) => holdCredits(tx, id, { ...charge, credits: 11 }));
  await expect(other).rejects.toThrow();
  const [day] = await db.execute(
    sql`select used::int from key_days where key_id = ${uuidOf("apiKey", caller.id)}`,
  );
  expect(day).toEqual({ used: 20 });
});

test("releases expired holds once, each with an audit event", async () => {
  const { accountId, caller } = await createPayer(100);
  const hold = await db.transaction((tx) => holdCredits(tx, newUuid(), chargeOf(caller, 40), 0));
  const [one, other] = await Promise.all([releaseExpiredHolds(db), releaseExpiredHolds(db)]);
  expect(one + other).toBe(1);
  expect(await booksOf(accountId)).toMatchObject({ posted: 100, held: 0 });
  expect(await db.transaction((tx) => captureHold(tx, hold, 40, 1))).toBe(0);
  const events = await db.execute(sql`select actor_type, operation from audit_events
    where account_id = ${uuidOf("account", accountId)} and actor_type = 'system' and operation = 'credits.holds.release'`);
  expect(events).toHaveLength(1);
});

test("keeps an account's changes in order when the database's clock falls behind that of a lost primary", async () => {
  const { accountId, caller } = await createPayer(100);
  // The clock of the promoted standby.
  await db.execute(sql`
    create or replace function new_ledger_id() returns uuid language sql volatile as $$ select uuidv7('-5 seconds') $$`);
  for (const credits of [1, 2, 3]) await db.transaction((tx) => chargeCredits(tx, chargeOf(caller, credits)));
  const rows = await db.execute<{ balance_after: string }>(sql`
    select balance_after from ledger_entries
    where account_id = ${uuidOf("account", accountId)} and book = 'customer' order by transaction_id`);
  expect(rows.map((row) => Number(row.balance_after))).toEqual([100, 99, 97, 94]);
});
