import type { Transaction } from "#db/client.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import { balanceOf, LOW_THRESHOLD } from "./queries.ts";

/** Emits `credits.low` and `credits.exhausted` where a charge took the total there. `total` is null where none was made. */
export async function emitBalanceEvents(
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

/** Emits the event of credits that were bought or granted. */
export async function emitTopUpEvent(
  tx: Transaction,
  accountId: string,
  creditedCredits: number,
  receiptId: string,
): Promise<void> {
  const data = { balance: await balanceOf(tx, accountId), creditedCredits, receiptId };
  const about = { accountId, projectId: null, endUserId: null, resource: accountId, data };
  await emitEvent(tx, { type: "credits.topped_up", ...about });
}
