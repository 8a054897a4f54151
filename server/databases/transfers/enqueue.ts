import type { Db, Transaction } from "#db/client.ts";
import { enqueueJob } from "#server/jobs/enqueue-job.ts";
import type { TransferRow } from "./rows.ts";

/** Enqueues the execution of a transfer, with all its attempts. */
export async function enqueueTransfer(
  tx: Db | Transaction,
  { accountId, id }: TransferRow,
  { delaySeconds = 0 } = {},
): Promise<void> {
  await enqueueJob(tx, {
    task: "carryTransfer",
    payload: { accountId, id },
    key: `transfer/${id}`,
    delaySeconds,
    maxAttempts: 5,
    queue: `tenant/${accountId}`,
  });
}
