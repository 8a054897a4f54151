import { and, eq, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { runSlots } from "#db/schema/concurrency.ts";
import { idOf, uuidOf } from "#server/base/ids.ts";
import { type Assignment, spaceOf } from "#server/operation/tenancy.ts";

/** Creates the slots of a new run. `setsLimits`: its limits become those of its keys. */
export function addSlots(
  tx: Transaction,
  { id, setsLimits, accountId, projectId, endUserId }: Assignment & { id: string; setsLimits: boolean },
) {
  const space = spaceOf({ accountId, projectId, endUserId });
  return tx.execute(sql`
    select add_slots(${uuidOf("account", accountId)}, ${uuidOf("run", id)}, ${space}, ${setsLimits})`);
}

/** Deletes the slots of a run that has not started. */
export async function dropSlots(tx: Transaction, accountId: string, runId: string): Promise<void> {
  await tx.delete(runSlots).where(and(eq(runSlots.accountId, accountId), eq(runSlots.runId, runId)));
}

/**
 * Returns for each waiting run the key that has no free slot; runs that merely have not been processed yet are left
 * out.
 */
export async function fullKeysOf(
  db: Db | Transaction,
  accountId: string,
  runIds: readonly string[],
): Promise<Map<string, string>> {
  if (runIds.length === 0) return new Map();
  const ids = runIds.map((id) => uuidOf("run", id));
  const rows = await db.execute<{ id: string; key: string }>(sql`
    select distinct on (s.run_id) s.run_id as id, s.key
    from run_slots s join concurrency_keys k using (account_id, space, key)
    where s.account_id = ${uuidOf("account", accountId)} and s.run_id = any(${sql.param(ids)}::uuid[]) and s.state <> 'held'
      and count_slots(s, 'held', k.most) >= k.most
    order by s.run_id, s.state = 'waiting' desc, s.key`);
  return new Map(rows.map(({ id, key }) => [idOf("run", id), key]));
}
