import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { uuidOf } from "#server/ids.ts";
import { ApiError } from "#server/operation/errors.ts";
import type { WalletRow } from "./queries.ts";

/**
 * Takes what a thing will spend from its wallet's UTC day, in the transaction that makes the thing, so that however many
 * are made at once the daily limit holds. Taken again by the same subject, it counts once, for the day of the last time.
 */
export async function reserveCap(
  tx: Transaction,
  reservation: {
    wallet: Pick<WalletRow, "accountId" | "id">;
    /** Wire id of the thing. */
    subject: string;
    /** As `judge` has told; null where there is no price. */
    valueUsd: string | null;
  },
): Promise<void> {
  const { wallet, subject, valueUsd } = reservation;
  const [row] = await tx.execute<{ fits: boolean; used_usd: string; limit_usd: string }>(sql`
    select * from reserve_cap(${uuidOf("account", wallet.accountId)}, ${uuidOf("wallet", wallet.id)}, ${subject}, ${valueUsd})`);
  if (row?.fits) return;
  throw new ApiError("policy_denied", beyondDay(valueUsd, row?.used_usd ?? "0", row?.limit_usd ?? "0"));
}

/** Returns what a thing had taken and will not spend; nothing where it had taken nothing. */
export async function releaseCap(
  tx: Transaction,
  { accountId, subject }: { accountId: string; subject: string },
): Promise<void> {
  await tx.execute(sql`select release_cap(${uuidOf("account", accountId)}, ${subject})`);
}

/** Why something does not fit into the day. */
export function beyondDay(valueUsd: string | null, usedUsd: string, limitUsd: string): string {
  if (valueUsd === null) return `Without a value in USD nothing fits into today's limit of ${limitUsd} USD.`;
  return `${valueUsd} USD does not fit into today's limit of ${limitUsd} USD, of which ${usedUsd} USD is spent or promised.`;
}
