import { sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { idOf } from "#server/ids.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import type { Fence } from "./claim-runs.ts";
import { recordCharges } from "./settle-run.ts";

type Which = Pick<Fence, "accountId" | "runId">;

/** Asks a run to end, within a transaction that has locked it alone; one that nobody works on ends at once. */
export async function askToEnd(tx: Transaction | Db, { accountId, runId }: Which): Promise<void> {
  const changes = await tx.execute<{ ended: boolean }>(sql`
    select r.finished_at is not null as ended from cancel_run(${accountId}, ${runId}) r`);
  if (changes.some(({ ended }) => ended)) await recordCharges(tx as Transaction, [{ accountId, runId }]);
}

/** Cancels a run that another one waited for; nothing where it has ended. */
export async function cancelLiveRun(db: Db, which: Which): Promise<void> {
  await db.transaction((tx) => askToEnd(tx, which));
  publishChange(db, idOf("account", which.accountId), "runs");
}
