import { setTimeout as sleep } from "node:timers/promises";
import { connect, deadlineOf } from "#db/connect.ts";
import { log } from "#server/base/log.ts";
import { codeOf } from "#server/base/thrown.ts";
import type { TenantCluster } from "./cluster.ts";

/** A statement was ended because it obstructed other databases of its cluster. */
export class Obstruction extends Error {}

/** The cluster's connections, at the latest count. */
export interface Occupancy {
  /** Connections that tenants may have together. */
  most: number;
  /** Open connections, of any process. */
  open: number;
}

interface Overrun {
  pid: number;
  reason: string;
}

/** The polling intervals with and without running statements; the latter is for leftovers of previous processes. */
const BUSY_MS = 250;
const IDLE_MS = 1000;
/** A cluster without an answer for this long, twice in a row, is silent: its processes or the network have stopped. */
const SILENT_MS = 2000;
const AGAIN_MS = 1000;
const SILENCE = new Set(["QUERY_TIMEOUT", "CONNECT_TIMEOUT"]);
/** How long a backend may wait for a lock on a shared catalogue. */
const SHARED_WAIT_MS = 250;
/** The maximum locks of one transaction, out of the 100,000 or more that an embedded cluster has for all. */
const MAX_LOCKS = 10_000;
/** The first half of the advisory locks by which a process marks its backends that may run for long. */
const LONG_WORK = 1_702_064_993;

/** The comment on a role whose statements are refused begins with this. */
export const HELD_UNTIL = "held until ";
const HOLD_MINUTES = 60;
/** The least time that an overdue backend gets before it is killed, which restarts its cluster for all tenants. */
const PATIENCE_MS = 5000;

/** Connections reserved for the administrator, if the cluster itself reserves fewer. */
const FOR_ADMINISTRATION = 10;

/** Roles of tenants, by their names: see `claimRow`. */
const IS_TENANT = "pg_get_userbyid(usesysid) ~ '^tenant_[0-9a-f]{24}$'";

/** Uses functions instead of the views on them: the views read shared catalogues, and would wait for their locks. */
const OVERRUNS = `
  with backends as materialized (
    select pid, xact_start, ${IS_TENANT} as tenant from pg_stat_get_activity(null) where backend_type = 'client backend'),
  locks as materialized (select * from pg_lock_status() where pid <> pg_backend_pid()),
  busy as materialized (
    select pid, count(*) > ${MAX_LOCKS} as many,
      bool_or(not granted and database = 0 and not (locktype = 'object' and objid = 0)
        and waitstart < clock_timestamp() - ${SHARED_WAIT_MS} * interval '1 ms') as waits
    from locks group by pid)
  select
    current_setting('max_connections')::int - greatest(${FOR_ADMINISTRATION},
      current_setting('superuser_reserved_connections')::int + current_setting('reserved_connections')::int) as most,
    (select count(*)::int from backends) as open,
    coalesce((
      select json_agg(json_build_object('pid', pid, 'reason', reason)) from (
        select pid, case
          when many then 'It held more than ${MAX_LOCKS} locks, which all databases of the cluster share.'
          when waits then 'It waited for a lock on an object that all databases of the cluster share.'
          when xact_start < clock_timestamp() - $1::int * interval '1 ms' and not exists (
            select from locks where locktype = 'advisory' and classid = ${LONG_WORK} and objid = pid and granted)
            then 'It was left by a process that ended.' end as reason
        from backends left join busy using (pid) where tenant and pid <> all ($2::int[])
      ) found where reason is not null), '[]') as overruns`;

/** Returns the statement that holds back the tenant of a backend that no signal ends, until the given time. */
const holdBack = (pid: number) => `
  do $$ declare name text; begin
    set local synchronous_commit = on;
    select pg_get_userbyid(usesysid) into name from pg_stat_get_activity(${pid}) where ${IS_TENANT};
    execute format('comment on role %I is %L', name,
      '${HELD_UNTIL}' || to_char((clock_timestamp() + ${HOLD_MINUTES} * interval '1 minute') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'));
  end $$`;

/** Marks exactly these backends of this process as allowed to run for long. */
const MARK = `
  with held as materialized (
    select objid::int as pid from pg_lock_status()
    where locktype = 'advisory' and classid = ${LONG_WORK} and pid = pg_backend_pid())
  select (select count(pg_advisory_lock(${LONG_WORK}, pid)) from unnest($1::int[]) pid where pid not in (select pid from held)),
    (select count(pg_advisory_unlock(${LONG_WORK}, pid)) from held where pid <> all ($1::int[]))`;

export interface WatchdogOptions {
  /** The maximum duration of statements, except those that `long` names. */
  longestMs: number;
  /** Returns the backends of this process that may run for long. */
  long(): number[];
  /** True if statements of this process are running. */
  isBusy(): boolean;
  /** Called with the cluster's numbers of connections. */
  onLook(occupancy: Occupancy): void;
  /** Called with the reason for which a tenant's backend is ended. */
  onObstruction(pid: number, fault: Obstruction): void;
  /** Called each time the silent cluster did not answer. */
  onSilence(): void;
  /** Called when the cluster answers again. */
  onAnswer(): void;
}

/**
 * Watches one cluster over a connection of its own that is opened in advance, so that ending a backend never waits for
 * other statements.
 */
export function createWatchdog(cluster: TenantCluster, options: WatchdogOptions) {
  const sql = connect(cluster.url("postgres"), {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    backoff: false,
    deadline: { ...deadlineOf(SILENT_MS), silentMs: AGAIN_MS },
    connection: { lock_timeout: 500, statement_timeout: SILENT_MS - 250 },
  });
  const ending = new Map<number, Promise<void>>();
  let marked = false;
  let unanswered = 0;
  let answeredAt = 0;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  /** Polls the cluster and records whether it answers; a cluster that refuses is not silent. */
  async function ask(): Promise<void> {
    try {
      await look();
      recordAnswer();
    } catch (reason) {
      if (!SILENCE.has(codeOf(reason) ?? "")) return recordAnswer();
      unanswered += 1;
      if (unanswered === 2)
        log.error("A cluster of accounts' databases does not answer.", { cluster: cluster.name });
      if (unanswered > 1) options.onSilence();
    }
  }

  function recordAnswer(): void {
    answeredAt = performance.now();
    if (unanswered > 1) options.onAnswer();
    unanswered = 0;
  }

  async function look(): Promise<void> {
    const long = options.long();
    if (marked || long.length > 0) await sql.unsafe(MARK, [long]);
    marked = long.length > 0;
    const [seen] = await sql.unsafe<(Occupancy & { overruns: Overrun[] })[]>(OVERRUNS, [
      2 * options.longestMs,
      long,
    ]);
    if (!seen) return;
    options.onLook(seen);
    for (const { pid, reason } of seen.overruns) {
      log.warn("A backend of a tenant is ended.", { cluster: cluster.name, pid, reason });
      options.onObstruction(pid, new Obstruction(reason));
      void end(pid, 0);
    }
  }

  function schedule(): void {
    if (stopped) return;
    timer = setTimeout(
      () => {
        void ask().finally(schedule);
      },
      options.isBusy() || unanswered > 0 ? BUSY_MS : IDLE_MS,
    ).unref();
  }

  const ready = ask();
  void ready.finally(schedule);

  /** Ends a backend whose limit was `timeoutMs`, and resolves when it is gone; after twice its time it is killed. */
  function end(pid: number, timeoutMs: number): Promise<void> {
    const known = ending.get(pid);
    if (known) return known;
    const gone = insist(pid, Math.max(timeoutMs, PATIENCE_MS)).finally(() => ending.delete(pid));
    ending.set(pid, gone);
    return gone;
  }

  async function insist(pid: number, patienceMs: number): Promise<void> {
    let started: string | undefined;
    let deadline = Date.now() + patienceMs;
    for (let hard = false; !stopped; await sleep(100, undefined, { ref: false })) {
      const answered = sql.unsafe<{ started: string }[]>(
        "select backend_start::text as started, pg_terminate_backend(pid) from pg_stat_get_activity($1)",
        [pid],
      );
      const seen = await Promise.race([answered.catch(() => null), sleep(1000, null, { ref: false })]);
      if (seen === null) {
        // The connection failed: the cluster is restarting or does not answer, which is not the tenant's fault.
        cluster.signal?.(pid, "SIGTERM");
        deadline = Date.now() + patienceMs;
        continue;
      }
      recordAnswer();
      if (!seen[0] || (started !== undefined && seen[0].started !== started)) return;
      started = seen[0].started;
      if (hard || Date.now() < deadline) continue;
      hard = true;
      // Some of PostgreSQL's own functions check no signal, e.g. the search of a long text in a longer one.
      log.error(
        "A tenant's backend does not end. In an embedded cluster it is killed, which restarts the cluster.",
        {
          cluster: cluster.name,
          pid,
        },
      );
      if (!cluster.signal) return;
      await sql
        .unsafe(holdBack(pid))
        .catch((error) => log.error("A tenant could not be held back.", { error }));
      cluster.signal(pid, "SIGKILL");
    }
  }

  return {
    end,
    /** Resolves after the first poll. */
    ready,
    /** True if the cluster has answered since this time (`performance.now()`). */
    hasAnsweredSince: (time: number) => answeredAt > time,

    async close(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await sql.end({ timeout: 1 });
    },
  };
}

export type Watchdog = ReturnType<typeof createWatchdog>;
