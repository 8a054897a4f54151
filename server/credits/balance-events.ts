import type { Transaction } from "#db/client.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import { balanceOf } from "./queries.ts";

/** The effects of a charge; null if none was made. */
export type Charged = {
  /** The account's total after the charge. */
  total: string | number | null;
  /** True if the charge took the total below the account's threshold. */
  low: boolean | null;
};

/** Emits `credits.low` and `credits.exhausted` if a charge took the total that low. */
export async function emitBalanceEvents(
  tx: Transaction,
  accountId: string,
  { total, low }: Charged,
): Promise<void> {
  if (total === null) return;
  const after = Number(total);
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
