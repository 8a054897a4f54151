import { hostname } from "node:os";
import type postgres from "postgres";
import { connect } from "#db/connect.ts";
import { createPolling } from "../../base/polling.ts";

// Arbitrary numbers that no other advisory lock of the platform uses.
export const MIGRATION_LOCK = 7_305_482_913;
export const INDEX_LOCK = 7_305_482_917;

/** A session of the database, in the words of the log. */
export interface Session {
  /** Its process in the database; 0 for a prepared transaction. */
  pid: number;
  application: string;
  state: string | null;
  /** The duration of its transaction so far, or without one of the session; null if PostgreSQL does not reveal it. */
  seconds: number | null;
}

/** The driver's own name for an application. */
const UNNAMED = "postgres.js";

/** Names a session for the logs of processes that wait for it; a name that the operator chose (PGAPPNAME) stays. */
export async function nameSession(sql: postgres.Sql, work: string): Promise<void> {
  const name = `${work} ${process.pid} ${hostname()}`;
  await sql`
    select set_config('application_name', ${name}, false) where current_setting('application_name') = ${UNNAMED}`;
}

const holders = (sql: postgres.ISql, lock: number) => sql`
  (select distinct pid from pg_locks where locktype = 'advisory' and granted and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and (classid::int8 << 32) | objid::int8 = ${lock})`;

const columns = (sql: postgres.ISql) => sql`
  coalesce(nullif(a.application_name, ''), a.backend_type, 'a prepared transaction') as application, a.state,
  floor(extract(epoch from clock_timestamp() - coalesce(a.xact_start, a.backend_start)))::int as seconds`;

/** Returns the session that holds an advisory lock, if there is one. */
export async function readHolder(sql: postgres.ISql, lock: number): Promise<Session | undefined> {
  const [holder] = await sql<Session[]>`
    select h.pid, ${columns(sql)} from ${holders(sql, lock)} h left join pg_stat_activity a using (pid)`;
  return holder;
}

/** Returns the sessions for which the holder of an advisory lock waits, the oldest transaction first. */
const readBlockers = (sql: postgres.ISql, lock: number) => sql<Session[]>`
  select b.pid, ${columns(sql)}
  from (select distinct unnest(pg_blocking_pids(pid)) as pid from ${holders(sql, lock)} h) b
  left join pg_stat_activity a using (pid) order by seconds desc nulls last`;

/** Cancels the statement of the session that holds an advisory lock, if it is one of these. */
export async function cancelHolder(
  sql: postgres.ISql,
  lock: number,
  among: readonly Session[],
): Promise<void> {
  const pids = among.map(({ pid }) => pid);
  await sql`select pg_cancel_backend(pid) from ${holders(sql, lock)} h where pid = any(${pids}::int[])`;
}

interface Watch {
  lock: number;
  everyMs: number;
  /** Called with the sessions for which the holder has waited since the last look, the oldest transaction first. */
  onBlocked(blockers: [Session, ...Session[]], sql: postgres.Sql): Promise<void> | void;
}

/** Watches, on a connection of its own, for whom the holder of an advisory lock waits. */
export function watchHolder(url: string, { lock, everyMs, onBlocked }: Watch) {
  const sql = connect(url, { max: 1 });
  let before = new Set<number>();
  const polling = createPolling({
    async turn() {
      const blockers = await readBlockers(sql, lock);
      const [oldest, ...others] = blockers.filter(({ pid }) => before.has(pid));
      before = new Set(blockers.map(({ pid }) => pid));
      if (oldest) await onBlocked([oldest, ...others], sql);
      return false;
    },
    pauseMs: everyMs,
    failing: "The sessions that a migration or an index waits for could not be read; it is tried again.",
  });
  polling.start();
  return {
    async stop() {
      // The database may be silent in the middle of a turn.
      await Promise.all([polling.stop(), sql.end({ timeout: 5 })]);
    },
  };
}
