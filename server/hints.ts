import { EventEmitter } from "node:events";
import type postgres from "postgres";

/** The kinds of work that a process may have made for the workers. */
export type Work = "runs" | "transactions" | "events";

const CHANNEL = "work";
// What was told of within a transaction is there by then, most of the time.
const DEBOUNCE_MS = 10;

/**
 * Tells workers that there is work, as it is committed. A hint may be lost: whoever listens also looks by himself.
 */
export interface Hints {
  send(work: Work): void;
  /** Tells this process alone what is about to be committed. */
  expect(work: Work, about: string): void;
  /** `listener` hears that there is work, or what it soon will be about. */
  on(work: Work, listener: (about?: string) => void): () => void;
}

/**
 * Hints reach this process at once, and others by one NOTIFY for many commits: inside a transaction each would take a
 * lock on all of the database's commits.
 */
export function createHints(sql: postgres.Sql): Hints {
  const local = new EventEmitter();
  const pending = new Set<Work>();

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
    expect: (work, about) => void local.emit(work, about),
    on(work, listener) {
      local.on(work, listener);
      return () => void local.off(work, listener);
    },
  };
}

/** Calls back for every hint of other processes, over a connection of its own. */
export async function listenForHints(sql: postgres.Sql, work: Work, listener: () => void): Promise<void> {
  await sql.listen(CHANNEL, (payload) => payload === work && listener(), listener);
}
