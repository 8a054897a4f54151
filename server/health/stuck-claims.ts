import type { ISql } from "postgres";
import type { Reading } from "./database-readings.ts";

/** The maximum number of rows per reading. */
const MAX_ROWS = 10_000;
const STUCK_SECONDS = 60;
/** The validity of a call's claim after it was made or prolonged. */
const LEASE_SECONDS = 60;
const KEPT_HOURS = 24;

/** The kinds of claims; a kind without stuck claims is reported as 0. */
const KINDS = ["calls", "runs", "triggers", "webhooks"];

/**
 * Returns a reader of claims whose processes ended at least a minute ago. Other processes take over runs, triggers and
 * webhooks within seconds, and a call's repeat takes over the call. Of the expired calls, it reads only the last ones.
 */
export function createClaimsReader(seconds = STUCK_SECONDS): (sql: ISql) => Promise<Reading[]> {
  /** When each process was first seen to have ended, by process and kind of claim. */
  let gone = new Map<string, number>();
  return async (sql) => {
    const rows = await sql<{ kind: string; process: string; claims: number }[]>`
      with held as (
        select 'runs' as kind, worker as process from (select worker from runs where worker is not null limit ${MAX_ROWS}) r
        union all select 'triggers', claimed_by from (
          select claimed_by from triggers where claimed_by is not null limit ${MAX_ROWS}) t
        union all select 'webhooks', claimed_by from (
          select claimed_by from webhook_health where claimed_by is not null limit ${MAX_ROWS}) h
        union all select 'calls', process from (
          select state, process, lease_until from idempotency_records
          where expires_at < clock_timestamp() + make_interval(hours => ${KEPT_HOURS}, secs => ${-seconds})
          order by expires_at desc limit ${MAX_ROWS}) c
        where state = 'running' and lease_until > '-infinity'
          and lease_until < clock_timestamp() + make_interval(secs => ${LEASE_SECONDS - seconds})),
      counted as (select kind, process, count(*)::int as claims from held where process is not null group by kind, process)
      select kind, process, claims from counted where hashtext(process)::oid not in (
        select objid from pg_locks where locktype = 'advisory' and classid = 1869771361::oid and granted
          and database = (select oid from pg_database where datname = current_database()))`;
    const now = performance.now();
    const nameOf = ({ kind, process }: { kind: string; process: string }) => `${kind} ${process}`;
    gone = new Map(rows.map((row) => [nameOf(row), gone.get(nameOf(row)) ?? now]));
    const isStuck = (row: (typeof rows)[number]) =>
      row.kind === "calls" || now - (gone.get(nameOf(row)) ?? now) >= seconds * 1000;
    return KINDS.map((kind) => ({
      name: "platform_claims_stuck",
      labels: { kind },
      value: rows
        .filter((row) => row.kind === kind && isStuck(row))
        .reduce((sum, { claims }) => sum + claims, 0),
    }));
  };
}
