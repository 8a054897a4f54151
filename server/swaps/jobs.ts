import type { Db, Transaction } from "#db/client.ts";
import { enqueueJob } from "#server/jobs/enqueue-job.ts";

/** A thing of an account, as jobs name it. */
export interface Named {
  accountId: string;
  id: string;
}

/** Has the blocks of a chain looked through for prepared steps. */
export async function enqueueWatch(db: Db | Transaction, network: string, delaySeconds = 0): Promise<void> {
  const key = `watchRoutes/${network}`;
  await enqueueJob(db, { task: "watchRoutes", payload: { network }, key, delaySeconds });
}

/** Has a route that was seen on its chain followed. */
export async function enqueueFollow(
  db: Db | Transaction,
  { accountId, id }: Named,
  delaySeconds = 0,
): Promise<void> {
  const key = `followRoute/${id}`;
  await enqueueJob(db, { task: "followRoute", payload: { accountId, id }, key, delaySeconds });
}

/** Has a swap looked at: whether it may go on. */
export async function enqueueAdvance(
  db: Db | Transaction,
  { accountId, id }: Named,
  delaySeconds = 0,
): Promise<void> {
  const key = `advanceSwap/${id}`;
  await enqueueJob(db, { task: "advanceSwap", payload: { accountId, id }, key, delaySeconds });
}
