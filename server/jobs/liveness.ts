import { randomBytes } from "node:crypto";
import { connectSession } from "#db/connect.ts";
import { CONNECTIONS } from "#db/connections.ts";
import { log } from "../log.ts";

// The first half of the advisory locks that say "this worker lives"; the second is the hash of its name.
export const WORKER_LOCKS = 1_869_771_361;
const pollMilliseconds = 1000;

export interface Liveness {
  /** The name in which this process holds jobs and runs. */
  workerId: string;
  /** Calls back when the lock was lost, or can't be seen: what is held in its name is another's from then on. */
  onLost(listener: () => void): () => void;
  release(): Promise<void>;
}

/**
 * Takes a name whose session lock lives as long as this process, and watches the others': when a lock is gone, its
 * worker is dead, and the jobs and runs it held are free at once instead of after hours.
 */
export async function holdLiveness(url: string): Promise<Liveness> {
  const workerId = `worker-${randomBytes(9).toString("hex")}`;
  const sql = connectSession(url, { max: CONNECTIONS.liveness });

  async function readLive() {
    const rows = await sql<{ lock: number; own: boolean }[]>`
      select objid::bigint::int8 as lock, objid = hashtext(${workerId})::oid and pid = pg_backend_pid() as own
      from pg_locks where locktype = 'advisory' and classid = ${WORKER_LOCKS}::oid and granted
        and database = (select oid from pg_database where datname = current_database())`;
    return { locks: new Set(rows.map(({ lock }) => String(lock))), held: rows.some(({ own }) => own) };
  }

  /** The names that hold jobs or runs, though no process holds their lock. */
  async function findDead() {
    const rows = await sql<{ name: string }[]>`
      select distinct locked_by as name from (
        select locked_by from graphile_worker._private_jobs union all select locked_by from graphile_worker._private_job_queues
        union all select worker from runs where worker is not null
      ) as held
      where locked_by is not null and not exists (
        select from pg_locks where locktype = 'advisory' and classid = ${WORKER_LOCKS}::oid and objid = hashtext(locked_by)::oid
          and database = (select oid from pg_database where datname = current_database()))`;
    return new Set(rows.map(({ name }) => name));
  }

  const listeners = new Set<() => void>();
  const lost = () => {
    for (const listener of listeners) listener();
  };
  const take = () => sql`select pg_advisory_lock(${WORKER_LOCKS}, hashtext(${workerId}))`;
  await take();

  let known = new Set<string>();
  let suspects: Set<string> | undefined = new Set();

  async function poll() {
    const { locks, held } = await readLive();
    // The database was restarted: the connection is another, and the lock is to be taken anew.
    if (!held) {
      lost();
      await take();
    }
    const vanished = [...known].some((lock) => !locks.has(lock));
    known = locks;
    if (!vanished && suspects === undefined) return;
    const found = await findDead();
    // Twice in a row, so that a living worker has the time to take its lock again after a restart.
    const dead = [...found].filter((name) => suspects?.has(name));
    if (dead.length > 0) {
      await sql`select graphile_worker.force_unlock_workers(${dead}::text[]), release_runs(${dead}::text[])`;
      log.warn("The jobs and runs of workers that died are free again.", { workers: dead });
    }
    suspects = found.size > dead.length || vanished ? found : undefined;
  }

  let stopped = false;
  let timer: NodeJS.Timeout;
  const watch = () => {
    timer = setTimeout(async () => {
      await poll().catch((error) => {
        lost();
        log.warn("The worker cannot see the other workers.", { error });
      });
      if (!stopped) watch();
    }, pollMilliseconds);
  };
  watch();

  return {
    workerId,
    onLost(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async release() {
      stopped = true;
      clearTimeout(timer);
      await sql.end({ timeout: 5 });
    },
  };
}
