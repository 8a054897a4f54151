import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import type { Connection } from "./connection.ts";
import { NoRoom } from "./growth.ts";
import type { Obstruction, Watchdog } from "./watchdog.ts";

export interface WatchOptions {
  readOnly: boolean;
  timeoutMs: number;
  /** Aborted when the caller leaves: the statement is ended then. */
  signal: AbortSignal;
}

interface Watched {
  watchdog: Watchdog;
  /** For how large the database is. */
  admin: postgres.Sql;
  database: string;
  databaseBytes: number;
  connection: Connection;
  options: WatchOptions;
}

/** The statement was ended from outside at its deadline: it had not let itself be cancelled. */
export class PastDeadline extends Error {}
/** The cluster answers nobody. */
export class ClusterSilent extends Error {}

const GRACE_MS = 250;
/** How long a backend may take to end before its caller is answered without it. */
const LEAVE_MS = 1000;
/** How often the size of a database that is written to is looked at. */
const SIZE_MS = 250;
/** New files of what is emptied, and the entries that name them, are there before the old ones go. */
const ROOM_TO_SHRINK = 1_048_576;

/**
 * Ends a transaction's backend when the time is up, the caller has left or the database is full: a statement can catch
 * its own cancellation, and PostgreSQL itself bounds no database.
 */
export function watch({ watchdog, admin, database, databaseBytes, connection, options }: Watched) {
  const { readOnly, timeoutMs, signal } = options;
  let fault: PastDeadline | NoRoom | Obstruction | ClusterSilent | null = null;
  let gone: Promise<void> | null = null;
  const end = () => {
    const due = performance.now();
    gone ??= watchdog.end(connection.pid, timeoutMs);
    void Promise.race([gone, sleep(LEAVE_MS, undefined, { ref: false })]).then(() => {
      // Then it is the cluster that does not end the statement.
      if (fault instanceof PastDeadline && !watchdog.hasAnsweredSince(due))
        fault = new ClusterSilent("The cluster does not answer.");
      connection.breakOff();
    });
  };
  const endFor = (reason: NonNullable<typeof fault>) => {
    fault ??= reason;
    end();
  };
  const deadline = setTimeout(
    () => endFor(new PastDeadline("The statement was ended at its deadline.")),
    timeoutMs + GRACE_MS,
  );
  let most: number | undefined;
  const size = readOnly ? undefined : setInterval(() => void look().catch(() => undefined), SIZE_MS);
  signal.addEventListener("abort", end);

  async function look() {
    const [row] = await admin<{ bytes: string }[]>`select pg_database_size(${database})::text as bytes`;
    const bytes = Number(row?.bytes);
    // One that was full before may be made smaller, for which it grows a little at first.
    most ??= Math.max(bytes + ROOM_TO_SHRINK, databaseBytes);
    if (!gone && bytes > most) endFor(new NoRoom(bytes));
  }

  return {
    fault: () => fault,
    /** The watchdog has seen this backend stand in others' way, and ends it. */
    obstructed: (reason: Obstruction) => endFor(reason),
    /** Where its backend is ended: until it is gone; else null. */
    hasEnded: () => gone,
    stop() {
      clearTimeout(deadline);
      clearInterval(size);
      signal.removeEventListener("abort", end);
    },
  };
}
