import type { ISql } from "postgres";
import type { Reading } from "./database-readings.ts";

/** No reading looks at more rows. */
const MOST_ROWS = 10_000;
const STUCK_SECONDS = 60;
/** For how long a call's claim stands after it was made or prolonged. */
const LEASE_SECONDS = 60;
const KEPT_HOURS = 24;

/** The kinds of claims, so that one without any is 0. */
const KINDS = ["calls", "runs", "triggers", "webhooks"];

/**
 * Returns a reader of the claims that processes hold which are gone, once that is so for a minute: others take runs, triggers
 * and webhooks over within seconds, and a call's repeat takes over the call. Of calls it looks at the last ones that are older.
 */
export function createClaimsReader(seconds = STUCK_SECONDS): (sql: ISql) => Promise<Reading[]> {
  /** Since when each process is seen to be gone, by it and the kind of its claims. */
  let gone = new Map<string, number>();
  return async (sql) => {
    const rows = await sql<{ kind: string; process: string; claims: number }[]>`
      with held as (
        select 'runs' as kind, worker as process from (select worker from runs where worker is not null limit ${MOST_ROWS}) r
        union all select 'triggers', claimed_by from (
          select claimed_by from triggers where claimed_by is not null limit ${MOST_ROWS}) t
        union all select 'webhooks', claimed_by from (
          select claimed_by from webhook_health where claimed_by is not null limit ${MOST_ROWS}) h
        union all select 'calls', process from (
          select state, process, lease_until from idempotency_records
          where expires_at < clock_timestamp() + make_interval(hours => ${KEPT_HOURS}, secs => ${-seconds})
          order by expires_at desc limit ${MOST_ROWS}) c
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
