import { setTimeout as sleep } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { defined } from "#server/base/defined.ts";
import { toUuid } from "#server/base/ids.ts";
import { isLockError } from "#server/base/thrown.ts";

const POLL_MS = 100;

interface Patience {
  /** How long to wait for running work. */
  seconds: number;
}

/** The work that kept an account from being frozen. */
export class StillBusy extends Error {
  readonly kinds: readonly string[];

  constructor(kinds: readonly string[]) {
    super(`Still under way: ${kinds.join(", ")}.`);
    this.kinds = kinds;
  }
}

/**
 * Freezes an account: calls are refused and workers begin nothing; running work ends or is handed back; then the
 * database refuses every write to the account's rows. Thaws it again and throws `StillBusy` if that takes too long.
 */
export async function freezeAccount(db: Db, accountId: string, { seconds }: Patience): Promise<Date> {
  const account = toUuid("account", accountId);
  await db.execute(sql`
    insert into frozen_accounts (account_id, searched_to)
    select ${account}, coalesce(jsonb_object_agg(h.network, h.number), '{}') from chain_heads h
    on conflict do nothing`);
  const [frozen] = await db.execute<{ since: string }>(sql`select clock_timestamp()::text as since`);
  const { since } = defined(frozen);
  const until = performance.now() + seconds * 1000;
  try {
    for (;;) {
      await awaitEnd(db, accountId, since, until);
      await fence(db, account, until);
      // A call that was admitted before may have begun something after the look.
      if ((await underWay(db, accountId, since)).length === 0) break;
      await db.execute(sql`update frozen_accounts set fenced = false where account_id = ${account}`);
    }
  } catch (reason) {
    await thawAccount(db, accountId);
    throw reason;
  }
  const [row] = await db.execute<{ at: Date }>(
    sql`select frozen_at as at from frozen_accounts where account_id = ${account}`,
  );
  return new Date(row?.at ?? 0);
}

/** Thaws an account; returns false if it was not frozen. Deposits are searched from where it was frozen. */
export async function thawAccount(db: Db, accountId: string): Promise<boolean> {
  const account = toUuid("account", accountId);
  const thawed = await db.execute(sql`
    with thawed as (delete from frozen_accounts where account_id = ${account} returning searched_to),
    searched as (
      select s.key as network, s.value::bigint as number from thawed, jsonb_each_text(thawed.searched_to) s),
    back as (
      update chain_heads h set number = s.number, recent = h.recent[:cardinality(h.recent) - (h.number - s.number)],
        hash = coalesce(h.recent[cardinality(h.recent) - (h.number - s.number)], '')
      from searched s where h.network = s.network and h.number > s.number)
    select from thawed`);
  await dropFences(db);
  return thawed.length > 0;
}

/** Workers only postpone the jobs that they have claimed since then, so these are not under way. */
async function underWay(db: Db, accountId: string, since: string): Promise<string[]> {
  const [row] = await db.execute<{ kinds: string[] }>(sql`
    select work_under_way(${toUuid("account", accountId)}) || case when exists (
      select from graphile_worker._private_jobs j where j.locked_at <= ${since}::text::timestamptz and j.payload ->> 'accountId' = ${accountId})
      then array['jobs'] else '{}' end as kinds`);
  return row?.kinds ?? [];
}

async function awaitEnd(db: Db, accountId: string, since: string, until: number): Promise<void> {
  for (;;) {
    const kinds = await underWay(db, accountId, since);
    if (kinds.length === 0) return;
    if (performance.now() > until) throw new StillBusy(kinds);
    await sleep(POLL_MS);
  }
}

/**
 * Has a trigger refuse writes to the account's rows in every table. The lock of a table waits for all transactions that
 * have written to it: afterwards each either has ended or meets the trigger.
 */
async function fence(db: Db, account: string, until: number): Promise<void> {
  await db.execute(sql`update frozen_accounts set fenced = true where account_id = ${account}`);
  for (const { name, fenced } of await ownedTables(db)) {
    const table = sql.identifier(name);
    const enable = sql`alter table ${table} enable trigger account_frozen`;
    const create = sql`create trigger account_frozen before insert or update or delete on ${table}
      for each row execute function public.refuse_frozen()`;
    while (!(await changeTable(db, table, fenced ? enable : create))) {
      if (performance.now() > until) throw new StillBusy([`transactions on ${name}`]);
    }
  }
}

/** Takes the triggers out of the way while no account is frozen; one that stays, because its table is in use, refuses nothing. */
async function dropFences(db: Db): Promise<void> {
  for (const { name, fenced } of await ownedTables(db)) {
    const disable = sql`alter table ${sql.identifier(name)} disable trigger account_frozen`;
    if (fenced) await changeTable(db, sql.identifier(name), disable, true);
  }
}

/** Returns the tables with rows of accounts, and whether each has the trigger. */
function ownedTables(db: Db) {
  return db.execute<{ name: string; fenced: boolean }>(sql`
    select c.relname as name, exists (
      select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'account_frozen') as fenced
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'frozen_accounts'
    order by c.relname`);
}

/** Changes a table under its lock; returns false if others keep it for a second. */
async function changeTable(
  db: Db,
  table: ReturnType<typeof sql.identifier>,
  change: SQL,
  unlessFrozen = false,
): Promise<boolean> {
  try {
    // One statement: calls are refused for as long as all tables' round trips take.
    await db.execute(sql`do $$ begin
      set local lock_timeout = '1s';
      lock table ${table} in share row exclusive mode;
      if not (${sql.raw(String(unlessFrozen))} and exists (select from frozen_accounts)) then
        ${change};
      end if;
    end $$`);
    return true;
  } catch (reason) {
    const cause = reason instanceof Error && reason.cause ? reason.cause : reason;
    if (isLockError(cause)) return false;
    throw reason;
  }
}
