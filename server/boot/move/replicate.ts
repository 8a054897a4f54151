import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import { Refusal } from "../refusal.ts";
import { movedTables } from "./tables.ts";

const POLL_MS = 50;

/** Returns the name of a move's publication, subscription and slot. */
const moveName = (account: string) => `move_${account.replaceAll("-", "")}`;
/** Returns the name of the publication that marks a moved account, which is never thawed here again. */
const movedName = (account: string) => `moved_${account.replaceAll("-", "")}`;

/** Returns true if the account has moved from this cell to another. */
export async function hasMoved(sql: postgres.Sql, account: string): Promise<boolean> {
  const found = await sql`select from pg_publication where pubname = ${movedName(account)}`;
  return found.length > 0;
}

/**
 * Returns true if a move has begun and neither ended nor been undone: this cell's rows of the account are the move's
 * copies.
 */
export async function isBegun(source: postgres.Sql, target: postgres.Sql, account: string): Promise<boolean> {
  const name = moveName(account);
  const published = await source`select from pg_publication where pubname = ${name}`;
  const subscribed = await target`select from pg_subscription where subname = ${name}`;
  return published.length + subscribed.length > 0;
}

/** Publishes the account's rows, and no others. */
export async function publish(source: postgres.Sql, account: string): Promise<void> {
  const tables = await movedTables(source);
  const rows = tables.map(({ name, owner }) => `"${name}" where (${owner} = '${account}')`);
  await source.unsafe(
    `create publication ${moveName(account)} for table ${rows.join(", ")} with (publish = 'insert, update, delete', publish_via_partition_root)`,
  );
}

/** Deletes the publication. */
export async function unpublish(
  source: postgres.Sql | postgres.TransactionSql,
  account: string,
): Promise<void> {
  await source`drop publication if exists ${source(moveName(account))}`;
}

/** Replaces the publication with an empty one, which marks the account as moved. */
export async function markMoved(source: postgres.Sql, account: string): Promise<void> {
  await source.begin(async (tx) => {
    await unpublish(tx, account);
    await tx`create publication ${tx(movedName(account))}`;
  });
}

export async function unmarkMoved(source: postgres.Sql, account: string): Promise<void> {
  await source`drop publication if exists ${source(movedName(account))}`;
}

/** Subscribes to the account's rows at this address. An error ends the subscription and leaves the source unchanged. */
export async function subscribe(target: postgres.Sql, account: string, from: string): Promise<void> {
  const name = moveName(account);
  const address = from.replaceAll("'", "''");
  await target.unsafe(
    `create subscription ${name} connection '${address}' publication ${name} with (disable_on_error, synchronous_commit = 'on')`,
  );
}

/** Deletes the subscription and its slot, if there is one. */
export async function unsubscribe(target: postgres.Sql, account: string): Promise<void> {
  const name = moveName(account);
  const [found] = await target`select from pg_subscription where subname = ${name}`;
  if (!found) return;
  await target`alter subscription ${target(name)} disable`;
  await target`drop subscription ${target(name)}`;
}

/** Waits until the existing rows are copied and changes arrive continuously. */
export async function awaitCopy(target: postgres.Sql, account: string): Promise<void> {
  for (;;) {
    const [state] = await target<{ enabled: boolean; missing: number }[]>`
      select s.subenabled as enabled, (select count(*)::int from pg_subscription_rel r
        where r.srsubid = s.oid and r.srsubstate <> 'r') as missing
      from pg_subscription s where s.subname = ${moveName(account)}`;
    if (!state?.enabled)
      throw new Refusal("The copy ended with an error, which this cell's PostgreSQL logged.");
    if (state.missing === 0) return;
    await sleep(POLL_MS);
  }
}

/** Waits until all commits of the source so far are on the target's disk. */
export async function awaitArrival(source: postgres.Sql, account: string, until: number): Promise<void> {
  const [now] = await source<{ lsn: string }[]>`select pg_current_wal_insert_lsn()::text as lsn`;
  for (;;) {
    const [slot] = await source<{ arrived: boolean }[]>`
      select confirmed_flush_lsn >= ${now?.lsn ?? ""}::pg_lsn as arrived
      from pg_replication_slots where slot_name = ${moveName(account)}`;
    if (slot?.arrived) return;
    if (!slot) throw new Refusal("The replication slot of the move is gone.");
    if (Date.now() > until) throw new Refusal("The account's last rows did not arrive in time.");
    await sleep(POLL_MS);
  }
}
