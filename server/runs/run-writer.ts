import type { SQL } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { retryUndone } from "#db/retry-undone.ts";
import { batched } from "#server/batch.ts";
import { isDatabaseGone, isStatementTimeout } from "#server/operation/faults.ts";
import { runBatch } from "#server/operation/statement-batch.ts";

/** The SQL functions whose calls may share a transaction: none of them waits for a lock that others hold for long. */
export type Batchable = "finish_step" | "open_step" | "note_step" | "finish_run";

/** Calls a SQL function for a run and returns its result; concurrent calls of one function share a commit. */
export type RunWriter = (name: Batchable, call: SQL) => Promise<unknown>;

// While these are under way the next batch grows. A run that waits for a lock delays only those that were sent with it.
const BATCH = { inFlight: 2, size: 16, slowMs: 250 };

/**
 * Creates an engine's writer. Each function has batches of its own, so that their statements are prepared once per
 * size.
 */
export function createRunWriter(db: Db): RunWriter {
  const batches = new Map<Batchable, (call: SQL) => Promise<PromiseSettledResult<unknown>>>();
  return async (name, call) => {
    let write = batches.get(name);
    if (!write) {
      write = batched((calls: SQL[]) => writeAll(db, calls), { ...BATCH, name: `runs.${name}` });
      batches.set(name, write);
    }
    const written = await write(call);
    if (written.status === "rejected") throw written.reason;
    return written.value;
  };
}

/**
 * Runs a batch together; if the database refuses that, each call alone, so that one run's failure is not the others'.
 * After a lost connection nothing is repeated: the batch may be committed.
 */
async function writeAll(db: Db, calls: SQL[]): Promise<PromiseSettledResult<unknown>[]> {
  const [together] = await Promise.allSettled([writeTogether(db, calls)]);
  if (together.status === "fulfilled")
    return together.value.map((value) => ({ status: "fulfilled", value }) as const);
  const isUnknown = isDatabaseGone(together.reason) && !isStatementTimeout(together.reason);
  if (isUnknown || calls.length === 1) return calls.map(() => together);
  return Promise.allSettled(calls.map(async (call) => (await writeTogether(db, [call]))[0]));
}

async function writeTogether(db: Db, calls: SQL[]): Promise<unknown[]> {
  const named = Object.fromEntries(calls.map((call, nth) => [`write${nth}`, call]));
  const results = await retryUndone(() => runBatch(db, named));
  return calls.map((_, nth) => results[`write${nth}`]);
}
