import { type SQL, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";

interface Owned {
  accountId: string;
  id: string;
}

/** What the tasks of `tasks.ts` that others enqueue are given. */
interface Payloads {
  advanceOrder: Owned;
  advanceSignature: Owned;
  advanceSwap: Owned;
  advanceTransaction: Owned;
  carryTransfer: Owned;
  followRoute: Owned;
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

/** What a worker is to do. */
export type Job = Named & {
  /** Of jobs with one key, a newer one replaces the one that has not begun. */
  key?: string;
  delaySeconds?: number;
  maxAttempts?: number;
  /** Jobs of one queue are done one after the other. */
  queue?: string;
};

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
