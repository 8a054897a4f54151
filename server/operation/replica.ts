import { type Database, type Db, openStandby } from "#db/client.ts";
import { log } from "#server/base/log.ts";
import { ApiError } from "./errors.ts";

/** The maximum lag of a replica that answers reads. */
const LAG_MS = 5000;
/** For how long one measurement of the lag is trusted. */
const LOOK_MS = 1000;

/** A standby that answers reads which may be slightly stale. */
export interface Replica {
  /**
   * Reads from the standby; falls back to the primary if the standby lags over five seconds, was promoted, or
   * fails.
   */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Opens a standby of this primary. Its rows lag behind, so decisions must not depend on them. */
export function openReplica(url: string, primary: Database): Replica {
  const standby = openStandby(url);
  let lookedAt = Number.NEGATIVE_INFINITY;
  let near: Promise<boolean> = Promise.resolve(false);
  let used = true;

  /** Compares times of the primary's clock only; the standby replicates them. */
  async function isNear(): Promise<boolean> {
    try {
      const [[here], [there]] = await Promise.all([
        primary.client<{ now: number }[]>`select extract(epoch from clock_timestamp())::float8 as now`,
        standby.probe<{ replayed: number | null }[]>`
          select extract(epoch from pg_last_xact_replay_timestamp())::float8 as replayed where pg_is_in_recovery()`,
      ]);
      return !!here && typeof there?.replayed === "number" && (here.now - there.replayed) * 1000 <= LAG_MS;
    } catch {
      return false;
    }
  }

  async function look(): Promise<boolean> {
    if (performance.now() - lookedAt > LOOK_MS) {
      lookedAt = performance.now();
      near = isNear();
    }
    return near;
  }

  return {
    async read(work) {
      const use = await look();
      if (use !== used) log.info(use ? "Reads use the replica." : "Reads use the primary, not the replica.");
      used = use;
      if (!use) return work(primary.db);
      try {
        return await work(standby.db);
      } catch (reason) {
        if (reason instanceof ApiError) throw reason;
        near = Promise.resolve(false);
        return work(primary.db);
      }
    },
    close: standby.close,
  };
}
