import { type SQL, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";

/** What a worker is to do. */
export interface Job {
  /** Its name among the tasks of `tasks.ts`. */
  task: string;
  payload: object;
  /** Of jobs with one key, a newer one replaces the one that has not begun. */
  key?: string;
  delaySeconds?: number;
  maxAttempts?: number;
  /** Jobs of one queue are done one after the other. */
  queue?: string;
}

/** Has a worker do a job once this transaction is committed; with what that stored before its eyes, whatever its key. */
export async function enqueueJob(tx: Db | Transaction, job: Job): Promise<void> {
  await tx.execute(sql`select ${enqueuedJob(job)}`);
}

/** `enqueueJob` as a statement of a batch. */
export function enqueuedJob(job: Job): SQL {
  const { task, payload, key = null, delaySeconds = 0, maxAttempts = null, queue = null } = job;
  return sql`enqueue_job(${task}, ${JSON.stringify(payload)}::json, ${key},
    now() + ${delaySeconds} * interval '1 second', ${maxAttempts}, ${queue})`;
}
