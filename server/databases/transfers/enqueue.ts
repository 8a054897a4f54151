import type { Db, Transaction } from "#db/client.ts";
import { enqueueJob } from "#server/jobs/enqueue-job.ts";
import type { TransferRow } from "./rows.ts";

/**
 * Enqueues the execution of a transfer, with all its attempts. `outageSince`, in Unix milliseconds: when attempts began to
 * fail for lack of a component.
 */
export async function enqueueTransfer(
  tx: Db | Transaction,
  { accountId, id }: TransferRow,
  { delaySeconds = 0, outageSince }: { delaySeconds?: number; outageSince?: number } = {},
): Promise<void> {
  await enqueueJob(tx, {
    task: "carryTransfer",
    payload: { accountId, id, ...(outageSince !== undefined && { outageSince }) },
    key: `transfer/${id}`,
    delaySeconds,
    maxAttempts: 5,
    queue: `tenant/${accountId}`,
  });
}
