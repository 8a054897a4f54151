import type { Db, Transaction } from "#db/client.ts";
import { enqueueJob, type Job } from "#server/jobs/enqueue-job.ts";

interface ResourceKey {
  accountId: string;
  id: string;
}

/** Returns the job that advances an order. */
export const advanceJob = ({ accountId, id }: ResourceKey): Job => ({
  task: "advanceOrder",
  payload: { accountId, id },
  key: `advanceOrder/${id}`,
});

/** Enqueues the advance of an order. */
export async function addAdvanceJob(tx: Db | Transaction, order: ResourceKey): Promise<void> {
  await enqueueJob(tx, advanceJob(order));
}
