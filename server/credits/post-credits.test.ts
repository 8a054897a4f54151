import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { adjustCredits, grantCredits } from "./post-credits.ts";

const api = await startApi();
const { db } = api.platform.database;

test("posts a grant once under its reference, and refuses the reference for another amount", async () => {
  const { accountId } = await api.createAccount();
  const grant = (credits: number) =>
    db.transaction((tx) =>
      grantCredits(tx, { accountId, credits, reference: "sign-up", description: "Welcome" }),
    );
  const answers = await Promise.all(Array.from({ length: 20 }, () => grant(500)));
  expect(answers.filter((answer) => answer.posted)).toHaveLength(1);
  await expect(grant(501)).rejects.toThrow("posted before with another kind or amount");
});

test("never deducts more than the available credits", async () => {
  const { accountId } = await api.createAccount();
  await db.transaction((tx) =>
    grantCredits(tx, { accountId, credits: 10, reference: "grant", description: "Welcome" }),
  );
  const take = (credits: number, reference: string) =>
    db.transaction((tx) => adjustCredits(tx, { accountId, credits, reference, description: "Correction" }));
  await expect(take(-11, "a")).rejects.toMatchObject({ code: "insufficient_credits" });
  await expect(take(-10, "b")).resolves.toMatchObject({ posted: true });
});

test("refuses a transaction that does not sum to zero, and any change of posted entries", async () => {
  const { accountId } = await api.createAccount();
  await db.transaction((tx) =>
    grantCredits(tx, { accountId, credits: 10, reference: "unbalanced", description: "Welcome" }),
  );
  await expect(
    db.transaction((tx) =>
      tx.execute(sql`insert into ledger_entries (account_id, transaction_id, book, amount, balance_after)
        select account_id, id, 'usage', 1, 1 from ledger_transactions where reference = 'unbalanced'`),
    ),
  ).rejects.toThrow("does not sum to zero");
  await expect(db.execute(sql`update ledger_entries set amount = 1`)).rejects.toMatchObject({
    cause: { message: "ledger_entries is append-only." },
  });
});
