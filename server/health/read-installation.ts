import type { ISql, Sql } from "postgres";
import type { z } from "zod";
import { connect, deadlineOf } from "#db/connect.ts";
import { CONNECTIONS } from "#db/connections.ts";
import { currentTime } from "#server/base/clock.ts";
import { idOf } from "#server/base/ids.ts";
import { log } from "#server/base/log.ts";
import { operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { DATABASE_GAUGES, READERS, type Reading } from "./database-readings.ts";
import { describeHealth } from "./read-health.ts";
import { Installation } from "./schema.ts";

type View = z.input<typeof Installation>;

/** How long a reading may take; a slower one is left out. */
const READING_MS = 3000;
const MAX_ACCOUNTS = 20;
const MAX_STATEMENTS = 20;

export const readInstallation = operation({
  id: "installation.read",
  method: "GET",
  path: "/installation",
  summary: "Read the state of the installation",
  description:
    "For operators: components, processes, queues, lags, busy accounts, and long and costly statements.",
  scope: null,
  people: "operators",
  surfaces: ["console"],
  output: Installation,

  async handler() {
    const sql = connect(platform().database.url, {
      max: CONNECTIONS.operators,
      deadline: deadlineOf(2 * READING_MS),
    });
    try {
      const readings: (Reading[] | null)[] = [];
      for (const read of READERS) readings.push(await within(sql, read));
      return {
        asOf: currentTime().toISOString(),
        health: await describeHealth(),
        readings: readings.flatMap((found) => (found ?? []).map(described)),
        failedReadings: readings.filter((found) => found === null).length,
        processes: await within(sql, readProcesses),
        busiest: await within(sql, readBusiest),
        statements: (await within(sql, readStatements)) ?? [],
        costliest: await within(sql, readCostliest),
      };
    } finally {
      await sql.end({ timeout: 1 });
    }
  },
});

/** Reads in a transaction of its own; returns null where that fails or takes too long. */
async function within<Result>(sql: Sql, read: (sql: ISql) => Promise<Result>): Promise<Result | null> {
  let result: Result | null = null;
  try {
    await sql.begin("read only", async (tx) => {
      await tx`select set_config('statement_timeout', ${String(READING_MS)}, true), set_config('enable_seqscan', 'off', true)`;
      result = await read(tx);
    });
  } catch (error) {
    log.warn("A reading of the installation failed.", { error });
  }
  return result;
}

function described({ name, labels = {}, value }: Reading) {
  return { name, help: DATABASE_GAUGES[name]?.help ?? "", labels, value };
}

/** Two looks into an index per account. */
async function readBusiest(sql: ISql): Promise<View["busiest"]> {
  const rows = await sql<{ id: string; name: string; requests: number; errors: number; credits: number }[]>`
    select a.id, a.name, u.requests, u.errors, u.credits from accounts a cross join lateral (
      select sum(requests)::int as requests, sum(errors)::int as errors, sum(charged_credits)::float8 as credits
      from usage_of_hours(a.id, date_trunc('hour', now()) - interval '1 hour', 'infinity')) u
    where u.requests > 0 order by u.requests desc limit ${MAX_ACCOUNTS}`;
  return rows.map(({ id, name, requests, errors, credits }) => ({
    accountId: idOf("account", id),
    name,
    requests,
    errors,
    chargedCredits: credits,
  }));
}

/** A process of an earlier release does not state its facts. */
async function readProcesses(sql: ISql): Promise<View["processes"]> {
  const rows = await sql<{ facts: string[] | null; since: Date }[]>`
    select case when a.application_name ~ '^\\w+ \\S+ \\S+ \\d+ ' then string_to_array(a.application_name, ' ') end as facts,
      a.backend_start as since
    from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and l.classid = 1869771361::oid and l.granted
      and l.database = (select oid from pg_database where datname = current_database())
    order by 1, 2`;
  return rows.map(({ facts, since }) => {
    const [role = null, version = null, commit = "-", pid, host = null] = facts ?? [];
    const connectedSince = since.toISOString();
    return {
      role,
      version,
      commit: commit === "-" ? null : commit,
      host,
      pid: Number(pid) || null,
      connectedSince,
    };
  });
}

async function readStatements(sql: ISql): Promise<View["statements"]> {
  return sql<{ seconds: number; wait: string | null; statement: string }[]>`
    select extract(epoch from clock_timestamp() - xact_start)::float8 as seconds,
      nullif(concat_ws(' ', wait_event_type, wait_event), '') as wait,
      left(regexp_replace(query, '[[:space:]]+', ' ', 'g'), 500) as statement
    from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
      and state <> 'idle' and xact_start < clock_timestamp() - interval '1 second'
    order by xact_start limit ${MAX_STATEMENTS}`;
}

/** The extension may be in any schema, and created without its library being loaded. */
async function readCostliest(sql: ISql): Promise<View["costliest"]> {
  const [extension] = await sql<{ schema: string }[]>`
    select n.nspname as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_stat_statements'
      and current_setting('pg_stat_statements.max', true) is not null`;
  if (!extension) return null;
  return sql<NonNullable<View["costliest"]>>`
    select left(regexp_replace(query, '[[:space:]]+', ' ', 'g'), 500) as statement, calls::float8 as calls,
      total_exec_time / 1000 as "totalSeconds", mean_exec_time as "meanMs",
      total_exec_time / nullif(sum(total_exec_time) over (), 0) as share
    from ${sql(`${extension.schema}.pg_stat_statements`)}
    where dbid = (select oid from pg_database where datname = current_database()) and total_exec_time > 0
    order by total_exec_time desc limit ${MAX_STATEMENTS}`;
}
