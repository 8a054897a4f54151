import { EventEmitter } from "node:events";
import type postgres from "postgres";
import { listen } from "#db/listen.ts";

/** The kinds of work that a process can create for workers. */
export type Work = "runs" | "transactions" | "events";

const CHANNEL = "work";
// By then, work announced within a transaction is usually committed.
const DEBOUNCE_MS = 10;

/** A worker of this process that takes committed work directly, without a round trip to the database. */
export interface InProcessWorker {
  /**
   * Returns true if the worker is idle; it then expects the work that is about to be committed under this
   * key.
   */
  reserve(key: string): boolean;
  /** Starts on committed work, in the worker's own form. */
  begin(work: unknown): void;
}

/** Wakes workers when work is committed. A wake-up may be lost: workers also poll. */
export interface WakeUps {
  send(work: Work): void;
  on(work: Work, listener: () => void): () => void;
  /**
   * Registers a worker of this process, which `inProcess` returns from then on; returns the function that
   * removes it.
   */
  register(work: Work, worker: InProcessWorker): () => void;
  inProcess(work: Work): InProcessWorker | null;
}

/**
 * Wakes workers of this process at once, and those of other processes by one NOTIFY for many commits: a
 * NOTIFY inside a transaction takes a lock on all commits of the database.
 */
export function createWakeUps(sql: postgres.Sql): WakeUps {
  const local = new EventEmitter();
  const pending = new Set<Work>();
  const workers = new Map<Work, InProcessWorker>();

  function notify() {
    const kinds = [...pending];
    pending.clear();
    sql`select pg_notify(${CHANNEL}, work) from unnest(${kinds}::text[]) work`.catch(() => undefined);
  }

  return {
    send(work) {
      local.emit(work);
      if (pending.size === 0) setTimeout(notify, DEBOUNCE_MS).unref();
      pending.add(work);
    },
    on(work, listener) {
      local.on(work, listener);
      return () => void local.off(work, listener);
    },
    register(work, worker) {
      workers.set(work, worker);
      return () => {
        if (workers.get(work) === worker) workers.delete(work);
      };
    },
    inProcess: (work) => workers.get(work) ?? null,
  };
}

/**
 * Calls back for every wake-up that other processes send, over a connection of its own; returns the function
 * that stops it.
 */
export function listenForWakeUps(
  url: string,
  work: Work,
  listener: () => void,
): Promise<() => Promise<void>> {
  return listen(url, CHANNEL, (payload) => payload === work && listener(), listener);
}
