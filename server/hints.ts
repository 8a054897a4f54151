import { EventEmitter } from "node:events";
import type postgres from "postgres";
import { listen } from "#db/listen.ts";

/** The kinds of work that a process may have made for the workers. */
export type Work = "runs" | "transactions" | "events";

const CHANNEL = "work";
// What was told of within a transaction is there by then, most of the time.
const DEBOUNCE_MS = 10;

/** A worker of this process that takes work straight from whoever commits it. */
export interface Taker {
  /** Whether it has nothing else to do, and will begin at once with what is about to be committed. */
  expect(about: string): boolean;
  /** Begins with what was committed, in its own form. */
  begin(work: unknown): void;
}

/**
 * Tells workers that there is work, as it is committed. A hint may be lost: listeners also look by themselves.
 */
export interface Hints {
  send(work: Work): void;
  on(work: Work, listener: () => void): () => void;
  /** Has `taker` asked for, by `taker(work)`, before something of it is committed. */
  take(work: Work, taker: Taker): () => void;
  /** Who takes such work straight, in this process. */
  taker(work: Work): Taker | null;
}

/**
 * Hints reach this process at once, and others by one NOTIFY for many commits: inside a transaction each would take a
 * lock on all of the database's commits.
 */
export function createHints(sql: postgres.Sql): Hints {
  const local = new EventEmitter();
  const pending = new Set<Work>();
  const takers = new Map<Work, Taker>();

  function tell() {
    const kinds = [...pending];
    pending.clear();
    sql`select pg_notify(${CHANNEL}, work) from unnest(${kinds}::text[]) work`.catch(() => undefined);
  }

  return {
    send(work) {
      local.emit(work);
      if (pending.size === 0) setTimeout(tell, DEBOUNCE_MS).unref();
      pending.add(work);
    },
    on(work, listener) {
      local.on(work, listener);
      return () => void local.off(work, listener);
    },
    take(work, taker) {
      takers.set(work, taker);
      return () => {
        if (takers.get(work) === taker) takers.delete(work);
      };
    },
    taker: (work) => takers.get(work) ?? null,
  };
}

/** Calls back for every hint of other processes, over a connection of its own, until what it answers is called. */
export function listenForHints(url: string, work: Work, listener: () => void): Promise<() => Promise<void>> {
  return listen(url, CHANNEL, (payload) => payload === work && listener(), listener);
}
