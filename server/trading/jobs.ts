import type { Db, Transaction } from "#db/client.ts";
import { enqueueJob, type Job } from "#server/jobs/enqueue-job.ts";

interface Named {
  accountId: string;
  id: string;
}

/** The job that goes on with an order. */
export const advanceJob = ({ accountId, id }: Named): Job => ({
  task: "advanceOrder",
  payload: { accountId, id },
  key: `advanceOrder/${id}`,
});

/** Has a worker look after an order, as soon as this is committed. */
export async function addAdvanceJob(tx: Db | Transaction, order: Named): Promise<void> {
  await enqueueJob(tx, advanceJob(order));
}
