import type { Db, Transaction } from "#db/client.ts";
import { enqueueJob } from "#server/jobs/enqueue-job.ts";

const AFTER_SECONDS = 600;

/** Has a worker erase a deleted account, once the calls that were admitted before have ended. */
export function enqueueErasure(
  tx: Db | Transaction,
  accountId: string,
  delaySeconds = AFTER_SECONDS,
): Promise<void> {
  return enqueueJob(tx, {
    task: "eraseAccount",
    payload: { accountId },
    key: `erase-account:${accountId}`,
    delaySeconds,
  });
}
