import { sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";

/** Has a worker look after an order, as soon as this is committed. */
export async function addAdvanceJob(
  tx: Db | Transaction,
  { accountId, id }: { accountId: string; id: string },
): Promise<void> {
  await tx.execute(sql`
    select graphile_worker.add_job('advanceOrder', ${JSON.stringify({ accountId, id })}::json,
      job_key => ${`advanceOrder/${id}`})`);
}
