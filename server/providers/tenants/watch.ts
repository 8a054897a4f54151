import type postgres from "postgres";
import { NoRoom } from "./growth.ts";

export interface WatchOptions {
  readOnly: boolean;
  timeoutMs: number;
  /** Aborted when the caller leaves: the statement is ended then. */
  signal: AbortSignal;
}

/** The statement was ended from outside at its deadline: it had not let itself be cancelled. */
export class PastDeadline extends Error {}

const GRACE_MS = 250;
/** How often the size of a database that is written to is looked at. */
const SIZE_MS = 250;
/** New files of what is emptied, and the entries that name them, are there before the old ones go. */
const ROOM_TO_SHRINK = 1_048_576;

/**
 * Ends a transaction's backend when the time is up, the caller has left or the database is full: a statement can catch
 * its own cancellation, and PostgreSQL itself bounds no database.
 */
export function watch(
  admin: postgres.Sql,
  database: string,
  pid: number,
  databaseBytes: number,
  { readOnly, timeoutMs, signal }: WatchOptions,
) {
  let fault: PastDeadline | NoRoom | null = null;
  let ended = false;
  const end = () => {
    ended = true;
    admin`select pg_terminate_backend(${pid})`.catch(() => undefined);
  };
  const deadline = setTimeout(() => {
    fault = new PastDeadline("The statement was ended at its deadline.");
    end();
  }, timeoutMs + GRACE_MS);
  let most: number | undefined;
  const size = readOnly ? undefined : setInterval(() => void look().catch(() => undefined), SIZE_MS);
  signal.addEventListener("abort", end);

  async function look() {
    const [row] = await admin<{ bytes: string }[]>`select pg_database_size(${database})::text as bytes`;
    const bytes = Number(row?.bytes);
    // One that was full before may be made smaller, for which it grows a little at first.
    most ??= Math.max(bytes + ROOM_TO_SHRINK, databaseBytes);
    if (ended || bytes <= most) return;
    fault = new NoRoom(bytes);
    end();
  }

  return {
    fault: () => fault,
    /** Whether the backend is gone, or soon will be. */
    hasEnded: () => ended,
    stop() {
      clearTimeout(deadline);
      clearInterval(size);
      signal.removeEventListener("abort", end);
    },
  };
}
