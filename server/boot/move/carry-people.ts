import type postgres from "postgres";
import { defined } from "#server/base/defined.ts";
import { Refusal } from "../refusal.ts";
import { insertMissing } from "./carry-over.ts";

/**
 * Copies the people of an account. Neither cell has verified their addresses, so a user of this cell with the same
 * address is treated as a stranger. Only if the operator lists the address in `same` does the account's member become
 * that user. Throws a `Refusal` that names the addresses of strangers, and then copies nothing.
 */
export async function carryPeople(
  source: postgres.Sql,
  target: postgres.Sql,
  account: string,
  same: readonly string[],
): Promise<void> {
  // An operator of one cell does not become an operator of the other.
  const [found] = await source<{ rows: string }[]>`
    select coalesce(jsonb_agg(to_jsonb(u) || '{"is_operator": false}'), '[]')::text as rows from users u
    where u.id in (select m.user_id from members m where m.account_id = ${account})`;
  const { rows } = defined(found);
  await target.begin(async (tx) => {
    await insertMissing(tx, "users", rows);
    const sameEmail = await tx<{ email: string; there: string; here: string }[]>`
      select there.email, there.id as there, here.id as here
      from jsonb_to_recordset(${rows}::text::jsonb) as there (id uuid, email text)
      join users here on lower(here.email) = lower(there.email) and here.id <> there.id
      order by there.email`;
    const strangers = sameEmail.filter(({ email }) => !same.includes(email.toLowerCase()));
    if (strangers.length > 0)
      throw new Refusal(
        `In this cell somebody else may have signed up as ${strangers.map(({ email }) => email).join(", ")}. Ask the account's people, then name those who did by --same-people.`,
      );
    // The account is frozen here, too, and the freeze's trigger would refuse the update.
    await tx`set local session_replication_role = replica`;
    for (const { there, here } of sameEmail)
      await tx`update members set user_id = ${here} where account_id = ${account} and user_id = ${there}`;
  });
}

/** Returns the users who are members of an account. */
export async function peopleOf(sql: postgres.Sql, account: string): Promise<string[]> {
  const people = await sql<{ id: string }[]>`
    select user_id as id from members where account_id = ${account}`;
  return people.map(({ id }) => id);
}

/** Deletes those of these users who are members of no account here, unless they operate this cell. */
export async function dropPeople(sql: postgres.Sql, people: readonly string[]): Promise<void> {
  await sql.begin(async (tx) => {
    const gone = await tx<{ id: string }[]>`
      select u.id from users u where u.id = any(${people}::uuid[]) and not u.is_operator
        and not exists (select from members m where m.user_id = u.id) for update`;
    const ids = gone.map(({ id }) => id);
    await tx`delete from sessions where user_id = any(${ids}::uuid[])`;
    await tx`delete from password_resets where user_id = any(${ids}::uuid[])`;
    await tx`delete from users where id = any(${ids}::uuid[])`;
  });
}
