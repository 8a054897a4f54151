import type { Transaction } from "#db/client.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import { balanceOf, LOW_THRESHOLD } from "./queries.ts";

/** Tells of a charge that took the total to where a person should know of it. `total` is null where none was made. */
export async function announceCharge(
  tx: Transaction,
  accountId: string,
  credits: number,
  total: string | null,
): Promise<void> {
  if (total === null) return;
  const after = Number(total);
  const low = after < LOW_THRESHOLD && after + credits >= LOW_THRESHOLD;
  if (!low && after > 0) return;
  const data = { balance: await balanceOf(tx, accountId) };
  const about = { accountId, projectId: null, endUserId: null, resource: accountId, data };
  if (low) await emitEvent(tx, { type: "credits.low", ...about });
  if (after === 0) await emitEvent(tx, { type: "credits.exhausted", ...about });
}

/** Tells of credits that have come in. */
export async function announceTopUp(
  tx: Transaction,
  accountId: string,
  creditedCredits: number,
  receiptId: string,
): Promise<void> {
  const data = { balance: await balanceOf(tx, accountId), creditedCredits, receiptId };
  const about = { accountId, projectId: null, endUserId: null, resource: accountId, data };
  await emitEvent(tx, { type: "credits.topped_up", ...about });
}
