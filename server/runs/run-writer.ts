import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { retryUndone } from "#db/retry-undone.ts";
import { batched } from "#server/base/batch.ts";
import { isDatabaseGone, isStatementTimeout } from "#server/operation/faults.ts";
import { runBatch, type StatementBatch } from "#server/operation/statement-batch.ts";

/** The SQL functions whose calls may share a transaction: none of them waits for a lock that others hold for long. */
export type Batchable = "finish_step" | "open_step" | "note_step" | "finish_run";

/** Returns the result of a call: of those of a batch, one may be done later than the others. */
type Written = () => Promise<unknown>;

/** Calls a SQL function for a run and returns its result; concurrent calls of one function share a commit. */
export type RunWriter = (name: Batchable, call: SQL) => Promise<unknown>;

// While these are under way the next batch grows.
const BATCH = { inFlight: 2, size: 16, slowMs: 250 };
/** For how long the calls of a batch wait for a lock together, so that a run that waits for one delays no other for long. */
const LOCK_MS = 250;

/**
 * Creates an engine's writer. Each function has batches of its own, so that their statements are prepared once per
 * size.
 */
export function createRunWriter(db: Db): RunWriter {
  const batches = new Map<Batchable, (call: SQL) => Promise<Written>>();
  return async (name, call) => {
    let write = batches.get(name);
    if (!write) {
      write = batched((calls: SQL[]) => writeAll(db, calls), { ...BATCH, name: `runs.${name}` });
      batches.set(name, write);
    }
    const written = await write(call);
    return written();
  };
}

/**
 * Runs a batch together; if the database refuses that, or one call waits for a lock, each call alone, so that one run's
 * failure is not the others'.
 * After a lost connection nothing is repeated: the batch may be committed.
 */
async function writeAll(db: Db, calls: SQL[]): Promise<Written[]> {
  try {
    const values = await writeTogether(db, calls);
    return values.map((value) => async () => value);
  } catch (reason) {
    const isUnknown = isDatabaseGone(reason) && !isStatementTimeout(reason);
    if (isUnknown || calls.length === 1) return calls.map(() => () => Promise.reject(reason));
    return calls.map((call) => {
      const alone = writeTogether(db, [call]);
      return async () => (await alone)[0];
    });
  }
}

async function writeTogether(db: Db, calls: SQL[]): Promise<unknown[]> {
  const patience = calls.length > 1 && { patience: sql`set_config('lock_timeout', ${`${LOCK_MS}ms`}, true)` };
  const writes = Object.fromEntries(calls.map((call, nth) => [`write${nth}`, call]));
  const named: StatementBatch = { ...patience, ...writes };
  const results = await retryUndone(() => runBatch(db, named));
  return calls.map((_, nth) => results[`write${nth}`]);
}
