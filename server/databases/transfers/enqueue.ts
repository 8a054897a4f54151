import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import type { TransferRow } from "./rows.ts";

/** Has a worker carry on with a transfer, once this transaction is committed. */
export async function enqueueTransfer(tx: Transaction, { accountId, id }: TransferRow): Promise<void> {
  await tx.execute(sql`select graphile_worker.add_job('carryTransfer', ${JSON.stringify({ accountId, id })}::json,
    max_attempts => 5, job_key => ${`transfer/${id}`}, queue_name => ${`tenant/${accountId}`})`);
}
