import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { connectSession } from "#db/connect.ts";
import { CONNECTIONS } from "#db/connections.ts";
import { askClock } from "#server/base/ask-clock.ts";
import { log } from "#server/base/log.ts";

// First half of the advisory locks by which processes prove that they live, as in the SQL function
// `process_lives`; the second half is the hash of the process's name.
const PROCESS_LOCKS = 1_869_771_361;
/** The driver's own name for an application. */
const UNNAMED = "postgres.js";
/** PostgreSQL cuts an application's name after this many bytes. */
const LONGEST_NAME = 63;
const LOOK_MS = 1000;
/** How soon a lost lock is taken again: sooner than another process can find it gone twice. */
const RETAKE_MS = 200;

export interface Liveness {
  /** The name under which this process claims jobs, runs and the idempotency keys of its calls. */
  name: string;
  /**
   * Calls the listener when the lock is lost or cannot be checked: claims in this name may then be taken
   * over. Returns the function that unsubscribes.
   */
  onLost(listener: () => void): () => void;
  release(): Promise<void>;
}

/** A process as operators read it (`installation.read`). */
interface ProcessFacts {
  role: string;
  release: { version: string; commit: string | null };
}

/** Returns the facts as the application's name of the connection that holds the lock. */
function applicationName({ role, release: { version, commit } }: ProcessFacts): string {
  const facts = [role, version, commit?.slice(0, 7) ?? "-", process.pid, hostname()];
  return facts.join(" ").slice(0, LONGEST_NAME);
}

/**
 * Takes a name with a session lock that lasts as long as this process, and watches the other processes'
 * locks. When a lock is gone, its process is dead, and its jobs and runs are released at once instead of
 * after hours.
 */
export async function holdLiveness(url: string, about?: ProcessFacts): Promise<Liveness> {
  const name = `process-${randomBytes(9).toString("hex")}`;
  let held = false;
  let look: () => void = () => undefined;
  const sql = connectSession(url, {
    max: CONNECTIONS.liveness,
    onclose() {
      if (held) look();
      held = false;
    },
  });

  async function readLive() {
    const rows = await sql<{ lock: number; own: boolean }[]>`
      select objid::bigint::int8 as lock, objid = hashtext(${name})::oid and pid = pg_backend_pid() as own
      from pg_locks where locktype = 'advisory' and classid = ${PROCESS_LOCKS}::oid and granted
        and database = (select oid from pg_database where datname = current_database())`;
    return { locks: new Set(rows.map(({ lock }) => String(lock))), own: rows.some(({ own }) => own) };
  }

  /** Returns the names that hold jobs or runs although no process holds their lock. */
  async function findDead() {
    const rows = await sql<{ name: string }[]>`
      select distinct locked_by as name from (
        select locked_by from graphile_worker._private_jobs union all select locked_by from graphile_worker._private_job_queues
        union all select worker from runs where worker is not null
      ) as held
      where locked_by is not null and not process_lives(locked_by)`;
    return new Set(rows.map(({ name }) => name));
  }

  const listeners = new Set<() => void>();
  const lost = () => {
    for (const listener of listeners) listener();
  };
  async function take() {
    await Promise.all([
      // A name that the operator chose (PGAPPNAME) stays.
      about &&
        sql`select set_config('application_name', ${applicationName(about)}, false)
          where current_setting('application_name') = ${UNNAMED}`,
      sql`select pg_advisory_lock(${PROCESS_LOCKS}, hashtext(${name}))`,
    ]);
    held = true;
  }
  await take();
  await askClock(sql);

  let known = new Set<string>();
  let suspects: Set<string> | undefined = new Set();

  async function poll() {
    // Each process learns the database's clock here, whatever else it asks: a machine's may be set, or stand still.
    const [{ locks, own }] = await Promise.all([readLive(), askClock(sql)]);
    // The connection was replaced, so the lock has to be taken again.
    if (!own) {
      await take();
      lost();
    }
    held = true;
    const vanished = [...known].some((lock) => !locks.has(lock));
    known = locks;
    if (!vanished && suspects === undefined) return;
    const found = await findDead();
    // Two checks in a row, so that a living process has time to retake its lock after a restart of the
    // database.
    const dead = [...found].filter((name) => suspects?.has(name));
    if (dead.length > 0) {
      await sql`select graphile_worker.force_unlock_workers(${dead}::text[]), release_runs(${dead}::text[])`;
      log.warn("The jobs and runs of processes that died are free again.", { processes: dead });
    }
    suspects = found.size > dead.length || vanished ? found : undefined;
  }

  let stopped = false;
  async function watch() {
    let failing = false;
    while (!stopped) {
      const woken = Promise.withResolvers<void>();
      look = woken.resolve;
      const timer = setTimeout(woken.resolve, failing ? RETAKE_MS : LOOK_MS);
      await woken.promise;
      clearTimeout(timer);
      if (stopped) return;
      try {
        await poll();
        failing = false;
      } catch (error) {
        if (stopped) return;
        lost();
        if (!failing) log.warn("The process cannot see whether it and others live.", { error });
        failing = true;
      }
    }
  }
  const watching = watch();

  return {
    name,
    onLost(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async release() {
      stopped = true;
      look();
      await sql.end({ timeout: 5 });
      await watching;
    },
  };
}
