import { join } from "node:path";
import type { ISql } from "postgres";
import { type Migration, missingIndexes, readMigrations } from "#db/migration-files.ts";
import { sourceFolder } from "#server/base/source-folder.ts";
import { readClockSkew } from "./clock-skew.ts";

/** A value of a gauge. */
export interface Reading {
  name: string;
  labels?: Record<string, string>;
  value: number;
}

/** No reading looks at more rows: a longer queue is reported as this long. */
const MAX_ROWS = 10_000;
/** The accounts whose ledgers a refresh sums; the next refresh continues behind them. */
const ACCOUNTS = 5000;
const NIL = "00000000-0000-0000-0000-000000000000";

/** The gauges that readings of the database set, with their descriptions. */
export const DATABASE_GAUGES: Record<string, { help: string; labels?: readonly string[] }> = {
  platform_runs_waiting: { help: "Runs that a worker may take (at most 10000 are counted)." },
  platform_runs_oldest_waiting_seconds: { help: "For how long the oldest of them has waited." },
  platform_runs_held: { help: "Runs that a worker works on." },
  platform_runs_unfinished: { help: "Runs that have not ended (at most 10000 are counted)." },
  platform_jobs_waiting: { help: "Jobs that are due and that nobody works on.", labels: ["task"] },
  platform_jobs_oldest_waiting_seconds: { help: "For how long the oldest of them is due.", labels: ["task"] },
  platform_jobs_given_up: { help: "Jobs that have failed as often as they may.", labels: ["task"] },
  platform_deliveries_queued: { help: "Deliveries that are not finished (at most 10000 are counted)." },
  platform_webhooks_due: { help: "Webhooks with a due delivery that no worker has taken." },
  platform_webhooks_oldest_due_seconds: { help: "For how long the oldest of them is due." },
  platform_webhooks_failing: { help: "Webhooks being served whose last delivery has failed." },
  platform_events_unrelayed: { help: "Events that are not fanned out yet (at most 10000 are counted)." },
  platform_events_oldest_unrelayed_seconds: { help: "The age of the oldest of them." },
  platform_audit_unsealed: { help: "Audit events that are not chained yet (at most 10000 are counted)." },
  platform_audit_oldest_unsealed_seconds: { help: "The age of the oldest of them." },
  platform_transactions: {
    help: "Sends that are reserved, signed or broadcast (at most 10000 are counted).",
    labels: ["network", "status"],
  },
  platform_transactions_oldest_seconds: {
    help: "The age of the oldest of them.",
    labels: ["network", "status"],
  },
  platform_transactions_unsettled: {
    help: "Transactions in a block that a reorganisation may still take back.",
    labels: ["network"],
  },
  platform_chain_scanned_block: {
    help: "The block up to which deposits were looked for.",
    labels: ["network"],
  },
  platform_credit_holds: { help: "Credits set aside for work under way (of at most 10000 holds)." },
  platform_credit_holds_overdue: { help: "Holds whose time is over, which the next minute releases." },
  platform_ledger_drift_accounts: {
    help: "Accounts whose books do not sum to zero or are overdrawn; must be 0.",
  },
  platform_ledger_pass_age_seconds: { help: "Since when every account's books were last looked at." },
  platform_blobs_loose_overdue: { help: "Blobs that are due to be deleted and stand yet." },
  platform_claims_stuck: {
    help: "Claims that processes hold which are gone for over a minute.",
    labels: ["kind"],
  },
  platform_processes_alive: { help: "Processes of this installation that hold their lock." },
  platform_database_connections: {
    help: "Connections to the platform's database, of every process.",
    labels: ["state", "wait"],
  },
  platform_log_unarchived_seconds: {
    help: "Since when no file of the database's log was archived; 0 where it is not to be.",
  },
  platform_synchronous_standby_missing: {
    help: "1 if the database waits for a synchronous standby at each commit and none is connected, else 0.",
  },
  platform_indexes_missing: {
    help: "Indexes of this release that are still to be built; until then the queries that need them are slow.",
  },
  platform_clock_skew_seconds: { help: "How far this process's clock is ahead of the database's." },
};

let migrations: Migration[] | undefined;

function ourMigrations(): Migration[] {
  migrations ??= readMigrations(join(sourceFolder(), "db/migrations"));
  return migrations;
}

type Reader = (sql: ISql) => Promise<Reading[]>;

/** One row whose columns are gauges, by their names without `platform_`. */
const rowOf =
  (ask: (sql: ISql) => Promise<Record<string, number | null>[]>): Reader =>
  async (sql) => {
    const [row = {}] = await ask(sql);
    return Object.entries(row).map(([name, value]) => ({ name: `platform_${name}`, value: value ?? 0 }));
  };

/** Rows by label, whose other columns are gauges. */
const rowsOf =
  (
    labels: readonly string[],
    ask: (sql: ISql) => Promise<Record<string, number | string | null>[]>,
  ): Reader =>
  async (sql) =>
    (await ask(sql)).flatMap((row) => {
      const named = Object.fromEntries(labels.map((label) => [label, String(row[label] ?? "")]));
      return Object.entries(row)
        .filter(([column]) => !labels.includes(column))
        .map(([name, value]) => ({ name: `platform_${name}`, labels: named, value: Number(value ?? 0) }));
    });

/** Every reading goes by an index and stops at a bound, so that it costs as much beside ten million rows as beside ten. */
export const READERS: readonly Reader[] = [
  rowOf(
    (sql) => sql`
      select count(*)::int as runs_waiting,
        greatest(extract(epoch from clock_timestamp() - min(ready_at)), 0)::float8 as runs_oldest_waiting_seconds
      from (select ready_at from runs where ready_at is not null order by account_id limit ${MAX_ROWS}) r`,
  ),
  rowOf(
    (sql) => sql`
      select extract(epoch from clock_timestamp() - greatest(last_archived_time, pg_postmaster_start_time()))::float8
        as log_unarchived_seconds
      from pg_stat_archiver where current_setting('archive_mode') <> 'off'
      union all select 0 where current_setting('archive_mode') = 'off'`,
  ),
  rowOf((sql) => sql`select count(*)::int as runs_held from runs where worker is not null`),
  rowOf(
    (sql) => sql`
      select count(*)::int as runs_unfinished from (
        select from runs where finished_at is null order by account_id, id limit ${MAX_ROWS}) r`,
  ),
  rowsOf(
    ["task"],
    (sql) => sql`
      select t.identifier as task, count(*) filter (where j.due)::int as jobs_waiting,
        coalesce(greatest(extract(epoch from clock_timestamp() - min(j.run_at) filter (where j.due)), 0), 0)::float8
          as jobs_oldest_waiting_seconds,
        count(*) filter (where j.attempts >= j.max_attempts)::int as jobs_given_up
      from (
        select task_id, run_at, attempts, max_attempts, is_available and run_at <= clock_timestamp() as due
        from graphile_worker._private_jobs limit ${MAX_ROWS}) j
      join graphile_worker._private_tasks t on t.id = j.task_id
      group by t.identifier`,
  ),
  rowOf(
    (sql) => sql`
      select count(*)::int as deliveries_queued from (
        select from webhook_queue order by account_id, id limit ${MAX_ROWS}) q`,
  ),
  rowOf(
    (sql) => sql`
      select count(*)::int as webhooks_due,
        greatest(extract(epoch from clock_timestamp() - min(due_at)), 0)::float8 as webhooks_oldest_due_seconds
      from (
        select due_at from webhook_health where due_at <= clock_timestamp() and claimed_by is null
        order by due_at limit ${MAX_ROWS}) h`,
  ),
  rowOf(
    (sql) => sql`
      select count(*)::int as webhooks_failing from (
        (select failures from webhook_health where due_at is not null and claimed_by is null order by due_at limit ${MAX_ROWS})
        union all (select failures from webhook_health where claimed_by is not null limit ${MAX_ROWS})) h where failures > 0`,
  ),
  rowOf(
    (sql) => sql`
      select count(*)::int as events_unrelayed,
        greatest(extract(epoch from clock_timestamp() - min(uuid_extract_timestamp(id))), 0)::float8 as events_oldest_unrelayed_seconds
      from (select id from outbox order by id limit ${MAX_ROWS}) o`,
  ),
  rowOf(
    (sql) => sql`
      select count(*)::int as audit_unsealed,
        greatest(extract(epoch from clock_timestamp() - min(at)), 0)::float8 as audit_oldest_unsealed_seconds
      from (select at from audit_pending order by account_id, id limit ${MAX_ROWS}) p`,
  ),
  rowsOf(
    ["network", "status"],
    (sql) => sql`
      select network, status, count(*)::int as transactions,
        extract(epoch from clock_timestamp() - min(created_at))::float8 as transactions_oldest_seconds
      from (
        select network, status, created_at from wallet_transactions
        where direction = 'out' and status in ('reserved', 'signed', 'broadcast')
        order by account_id, wallet_id, network, id limit ${MAX_ROWS}) t
      group by network, status`,
  ),
  rowsOf(
    ["network"],
    (sql) => sql`
      select network, count(*)::int as transactions_unsettled from (
        select network from wallet_transactions where block_number is not null and finalized_at is null
        order by network, block_number limit ${MAX_ROWS}) t
      group by network`,
  ),
  rowsOf(["network"], (sql) => sql`select network, number::float8 as chain_scanned_block from chain_heads`),
  rowOf(
    (sql) => sql`
      select coalesce(sum(amount), 0)::float8 as credit_holds,
        count(*) filter (where expires_at < clock_timestamp())::int as credit_holds_overdue
      from (select amount, expires_at from ledger_holds where state = 'open' order by expires_at limit ${MAX_ROWS}) h`,
  ),
  rowOf(
    (sql) => sql`
      select count(*)::int as blobs_loose_overdue from (
        select from loose_blobs where due_at < clock_timestamp() - interval '5 minutes' order by due_at limit ${MAX_ROWS}) b`,
  ),
  rowOf(
    (sql) => sql`
      select count(*)::int as processes_alive from pg_locks where locktype = 'advisory' and classid = 1869771361::oid and granted
        and database = (select oid from pg_database where datname = current_database())`,
  ),
  rowsOf(
    ["state", "wait"],
    (sql) => sql`
      select coalesce(state, 'unknown') as state,
        case when state = 'active' then coalesce(wait_event_type, 'none') else 'none' end as wait, count(*)::int as database_connections
      from pg_stat_activity where datname = current_database() and backend_type = 'client backend' group by 1, 2`,
  ),
  rowOf(
    (sql) => sql`
      select (current_setting('synchronous_standby_names') <> '' and not exists (
        -- Without the right to read all statistics, a standby's state is null.
        select from pg_stat_replication where sync_state is null or sync_state in ('sync', 'quorum')))::int
        as synchronous_standby_missing`,
  ),
  rowOf(async (sql) => [{ indexes_missing: (await missingIndexes(sql, ourMigrations())).length }]),
  async (sql) => [{ name: "platform_clock_skew_seconds", value: (await readClockSkew(sql)).seconds }],
];

/**
 * Adds up the books of a few thousand accounts at a time, one after the other, so that a pass over all of them costs a
 * refresh no more where there are many.
 */
export function createLedgerReader(accounts = ACCOUNTS): Reader {
  let after = NIL;
  let found = 0;
  let inPass = 0;
  let passed = performance.now();
  return async (sql) => {
    const [row] = await sql<{ seen: number; last: string | null; drifted: number }[]>`
      with slice as (
        select account_id, sum(posted) <> 0 or bool_or(book = 'customer' and (held < 0 or posted < held)) as drifted
        from ledger_accounts
        where account_id > ${after} and account_id <= coalesce(
          (select id from accounts where id > ${after} order by id offset ${accounts - 1} limit 1),
          'ffffffff-ffff-ffff-ffff-ffffffffffff')
        group by account_id)
      select count(*)::int as seen, (select id from accounts where id > ${after} order by id offset ${accounts - 1} limit 1) as last,
        count(*) filter (where drifted)::int as drifted from slice`;
    inPass += row?.drifted ?? 0;
    after = row?.last ?? NIL;
    if (after === NIL) {
      found = inPass;
      inPass = 0;
      passed = performance.now();
    }
    return [
      { name: "platform_ledger_drift_accounts", value: Math.max(found, inPass) },
      { name: "platform_ledger_pass_age_seconds", value: (performance.now() - passed) / 1000 },
    ];
  };
}
