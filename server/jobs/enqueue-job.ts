import { type SQL, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";

interface Owned {
  accountId: string;
  id: string;
}

/** The payloads of the tasks of `tasks.ts` that other code enqueues. */
interface Payloads {
  advanceOrder: Owned;
  advanceSignature: Owned;
  advanceSwap: Owned;
  advanceTransaction: Owned;
  carryTransfer: Owned & { outageSince?: number };
  eraseAccount: { accountId: string };
  followRoute: Owned;
  forgetSteps: Owned;
  mailApprovals: { accountId: string };
  mailAppConnected: { accountId: string; keyId: string };
  mailInvitation: Owned;
  mailPasswordChanged: { userId: string };
  mailPasswordReset: { id: string };
  recoverPayment: Owned;
  removeEmptyDatabase: { accountId: string };
  watchRoutes: { network: string };
}

declare global {
  namespace GraphileWorker {
    interface Tasks extends Payloads {}
  }
}

type Named = { [Task in keyof Payloads]: { task: Task; payload: Payloads[Task] } }[keyof Payloads];

/** A job for a worker. */
export type Job = Named & {
  /** A newer job with the same key replaces one that has not begun. */
  key?: string;
  delaySeconds?: number;
  maxAttempts?: number;
  /** Jobs of one queue run one after the other. */
  queue?: string;
  /** Of the jobs that are due, those with lower numbers run first; 0 by default. */
  priority?: number;
};

/**
 * Enqueues a job to run once this transaction is committed. The job always sees the transaction's changes, even if it
 * replaces another with its key.
 */
export async function enqueueJob(tx: Db | Transaction, job: Job): Promise<void> {
  await tx.execute(sql`select ${enqueuedJob(job)}`);
}

/** `enqueueJob` as a statement of a batch. */
export function enqueuedJob(job: Job): SQL {
  const {
    task,
    payload,
    key = null,
    delaySeconds = 0,
    maxAttempts = null,
    queue = null,
    priority = null,
  } = job;
  return sql`enqueue_job(${task}, ${JSON.stringify(payload)}::json, ${key},
    now() + ${delaySeconds} * interval '1 second', ${maxAttempts}, ${queue}, ${priority})`;
}
