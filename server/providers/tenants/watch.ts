import type postgres from "postgres";
import { sleepAwake } from "#server/base/sleep-awake.ts";
import type { Connection } from "./connection.ts";
import { NoRoom } from "./growth.ts";
import type { Obstruction, Watchdog } from "./watchdog.ts";

export interface WatchOptions {
  readOnly: boolean;
  timeoutMs: number;
  /** Aborted when the caller disconnects, which ends the statement. */
  signal: AbortSignal;
}

interface Watched {
  watchdog: Watchdog;
  /** The connection that measures the database. */
  admin: postgres.Sql;
  database: string;
  databaseBytes: number;
  connection: Connection;
  options: WatchOptions;
}

/** The statement was ended from outside at its deadline, as it had caught its own cancellation. */
export class PastDeadline extends Error {}
/** The cluster does not answer. */
export class ClusterSilent extends Error {}

const GRACE_MS = 250;
/** How long a call waits for its ended backend before it responds. */
const LEAVE_MS = 1000;
/** How often the size of a database is measured during a write. */
const SIZE_MS = 250;
/** Room for the new files of emptied tables, which exist before the old ones are removed. */
const ROOM_TO_SHRINK = 1_048_576;

/**
 * Ends a transaction's backend at its deadline, when the caller disconnects or when the database is full: a statement
 * can catch its own cancellation, and PostgreSQL itself limits no database.
 */
export function watch({ watchdog, admin, database, databaseBytes, connection, options }: Watched) {
  const { readOnly, timeoutMs, signal } = options;
  let fault: PastDeadline | NoRoom | Obstruction | ClusterSilent | null = null;
  let gone: Promise<void> | null = null;
  const end = () => {
    const due = performance.now();
    gone ??= watchdog.end(connection.pid, timeoutMs);
    void Promise.race([gone, sleepAwake(LEAVE_MS)]).then(() => {
      // In that case the cluster is at fault, since it does not end the statement.
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
    // A database that was full before may grow a little while it is being reduced.
    most ??= Math.max(bytes + ROOM_TO_SHRINK, databaseBytes);
    if (!gone && bytes > most) endFor(new NoRoom(bytes));
  }

  return {
    fault: () => fault,
    /** Called when the watchdog ends this backend because it obstructs others. */
    obstructed: (reason: Obstruction) => endFor(reason),
    /** A promise until the ended backend is gone; null if it was not ended. */
    hasEnded: () => gone,
    stop() {
      clearTimeout(deadline);
      clearInterval(size);
      signal.removeEventListener("abort", end);
    },
  };
}
