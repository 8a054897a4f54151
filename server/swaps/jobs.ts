import type { Db, Transaction } from "#db/client.ts";
import { enqueueJob } from "#server/jobs/enqueue-job.ts";

/** The key of an account's resource in a job's payload. */
export interface ResourceKey {
  accountId: string;
  id: string;
}

/** Enqueues the search of a chain's blocks for prepared steps. */
export async function enqueueWatch(db: Db | Transaction, network: string, delaySeconds = 0): Promise<void> {
  const key = `watchRoutes/${network}`;
  await enqueueJob(db, { task: "watchRoutes", payload: { network }, key, delaySeconds });
}

/** Enqueues the following of a route that was seen on its chain. */
export async function enqueueFollow(
  db: Db | Transaction,
  { accountId, id }: ResourceKey,
  delaySeconds = 0,
): Promise<void> {
  const key = `followRoute/${id}`;
  await enqueueJob(db, { task: "followRoute", payload: { accountId, id }, key, delaySeconds });
}

/** Enqueues the advance of a swap. */
export async function enqueueAdvance(
  db: Db | Transaction,
  { accountId, id }: ResourceKey,
  delaySeconds = 0,
): Promise<void> {
  const key = `advanceSwap/${id}`;
  await enqueueJob(db, { task: "advanceSwap", payload: { accountId, id }, key, delaySeconds });
}
