import { sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";

/** A thing of an account, as jobs name it. */
export interface Named {
  accountId: string;
  id: string;
}

function addJob(db: Db | Transaction, task: string, key: string, payload: object, delaySeconds: number) {
  return db.execute(sql`select graphile_worker.add_job(${task}, ${JSON.stringify(payload)}::json,
    job_key => ${`${task}/${key}`}, run_at => now() + ${delaySeconds} * interval '1 second')`);
}

/** Has the blocks of a chain looked through for prepared steps. */
export async function enqueueWatch(db: Db | Transaction, network: string, delaySeconds = 0): Promise<void> {
  await addJob(db, "watchRoutes", network, { network }, delaySeconds);
}

/** Has a route that was seen on its chain followed. */
export async function enqueueFollow(
  db: Db | Transaction,
  { accountId, id }: Named,
  delaySeconds = 0,
): Promise<void> {
  await addJob(db, "followRoute", id, { accountId, id }, delaySeconds);
}

/** Has a swap looked at: whether it may go on. */
export async function enqueueAdvance(
  db: Db | Transaction,
  { accountId, id }: Named,
  delaySeconds = 0,
): Promise<void> {
  await addJob(db, "advanceSwap", id, { accountId, id }, delaySeconds);
}
