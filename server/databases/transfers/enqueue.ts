import type { Transaction } from "#db/client.ts";
import { enqueueJob } from "#server/jobs/enqueue-job.ts";
import type { TransferRow } from "./rows.ts";

/** Enqueues the execution of a transfer. */
export async function enqueueTransfer(tx: Transaction, { accountId, id }: TransferRow): Promise<void> {
  await enqueueJob(tx, {
    task: "carryTransfer",
    payload: { accountId, id },
    key: `transfer/${id}`,
    maxAttempts: 5,
    queue: `tenant/${accountId}`,
  });
}
