import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "./connection.ts";
import type { WatchOptions } from "./watch.ts";

const ANSWER_MS = 2000;

export interface TransactionOptions extends WatchOptions {
  /** Whether every statement sees the database as it was at the first. */
  snapshot?: boolean;
}

/** Rolled back, a transaction that only read leaves nothing but what it prepared: it can take no lock of the session's. */
const UNDO = "rollback; deallocate all; ";

/** Whether a statement succeeds soon: on a connection that broke, the driver may never answer. */
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

/** Nothing that a call has left reaches the next: its transaction, settings, temporary things, locks, cursors. */
export function cleanConnection({ sql }: Connection): Promise<boolean> {
  return succeeds(Promise.all([sql.unsafe("rollback"), sql.unsafe("discard all")]));
}

/** Not awaited: what the call sends first goes out behind it. Where it fails the connection has. */
export function beginTransaction(
  { sql, stands }: Connection,
  { snapshot, readOnly, timeoutMs }: TransactionOptions,
): void {
  const level = snapshot ? " isolation level repeatable read" : "";
  const mode = readOnly ? " read only" : "";
  sql
    .unsafe(`${stands ? UNDO : ""}begin${level}${mode}; set local statement_timeout = ${timeoutMs}`)
    .catch(() => undefined);
}

/** Not awaited: nothing of it is needed any more. */
export function closeConnection({ sql }: Connection): void {
  void sql.end({ timeout: 0 }).catch(() => undefined);
}
