import type { Db, Transaction } from "#db/client.ts";
import { enqueueJob } from "#server/jobs/enqueue-job.ts";

/** Has a worker look after an order, as soon as this is committed. */
export async function addAdvanceJob(
  tx: Db | Transaction,
  { accountId, id }: { accountId: string; id: string },
): Promise<void> {
  await enqueueJob(tx, { task: "advanceOrder", payload: { accountId, id }, key: `advanceOrder/${id}` });
}
