import postgres from "postgres";
import type { Database } from "#db/client.ts";
import { withSearchPathOf } from "#db/search-path.ts";
import { toUuid } from "#server/base/ids.ts";
import { thawAccount } from "../../members/freeze-account.ts";
import { Refusal } from "../refusal.ts";
import { deleteAccount } from "./carry-over.ts";
import { dropPeople, peopleOf } from "./carry-people.ts";
import { hasMoved, unmarkMoved } from "./replicate.ts";

/** Deletes an account's rows in the cell that it has moved from, once it lives in the other. */
export async function forgetMoved(here: Database, url: string, accountId: string, to: string): Promise<void> {
  const account = toUuid("account", accountId);
  if (!(await hasMoved(here.client, account)))
    throw new Refusal(`The account ${accountId} has not moved from this cell.`);
  const there = postgres(withSearchPathOf(to, url), { max: 1, onnotice: () => undefined });
  try {
    const [lives] = await there`
      select from accounts where id = ${account} and id <> all(array(select account_id from frozen_accounts))`;
    if (!lives) throw new Refusal(`The account ${accountId} does not live in that cell, or is frozen there.`);
    // The other cell still has these members if the command is repeated.
    const people = [...(await peopleOf(here.client, account)), ...(await peopleOf(there, account))];
    await deleteAccount(here.client, account);
    // Otherwise they would keep their old password here, and could sign in with it after a move back.
    await dropPeople(here.client, people);
  } finally {
    await there.end({ timeout: 5 });
  }
  await unmarkMoved(here.client, account);
  await thawAccount(here.db, accountId);
}
