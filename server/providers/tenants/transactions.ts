import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "./connection.ts";
import type { WatchOptions } from "./watch.ts";

const ANSWER_MS = 2000;

export interface TransactionOptions extends WatchOptions {
  /** True if every statement sees the database as of the first. */
  snapshot?: boolean;
  /** Waits until more of a long result may be read; by default at once. */
  turn?: () => Promise<void>;
}

/** After its rollback, a reading transaction leaves only prepared statements: it can take no session lock. */
const UNDO = "rollback; deallocate all; ";

/** Returns whether a statement succeeds within a limit: on a broken connection, the driver may never answer. */
function succeeds(statement: Promise<unknown>): Promise<boolean> {
  const late = sleep(ANSWER_MS, false, { ref: false });
  return Promise.race([
    statement.then(
      () => true,
      () => false,
    ),
    late,
  ]);
}

/** Removes everything that a call has left behind: its transaction, settings, temporary objects, locks, cursors. */
export function cleanConnection({ sql }: Connection): Promise<boolean> {
  return succeeds(Promise.all([sql.unsafe("rollback"), sql.unsafe("discard all")]));
}

/** Not awaited: the call's first statement follows it directly. If it fails, so has the connection. */
export function beginTransaction(
  { sql, inTransaction }: Connection,
  { snapshot, readOnly, timeoutMs }: TransactionOptions,
): void {
  const level = snapshot ? " isolation level repeatable read" : "";
  const mode = readOnly ? " read only" : "";
  sql
    .unsafe(`${inTransaction ? UNDO : ""}begin${level}${mode}; set local statement_timeout = ${timeoutMs}`)
    .catch(() => undefined);
}

/** Not awaited, since nothing depends on it. */
export function closeConnection({ sql }: Connection): void {
  void sql.end({ timeout: 0 }).catch(() => undefined);
}
