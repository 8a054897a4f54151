import { and, eq, exists, gt, isNull, lt, ne, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { notFrozen } from "#db/frozen.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { webhooks } from "#db/schema/webhooks.ts";
import { currentTime } from "#server/base/clock.ts";
import { emitKeyEvent } from "./queries.ts";

const BATCH = 100;

/**
 * Emits `api_key.expiring` once for each key that expires within a week, or within the last quarter of a shorter
 * lifetime.
 */
export async function emitExpiringKeyEvents(db: Db, at = currentTime()): Promise<void> {
  const notEmitted = and(isNull(apiKeys.revokedAt), isNull(apiKeys.expiringEmittedAt));
  const listening = db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(and(eq(webhooks.accountId, apiKeys.accountId), ne(webhooks.status, "disabled")));
  const now = sql.param(at, apiKeys.expiresAt);
  for (;;) {
    const found = await db
      .select({ accountId: apiKeys.accountId, id: apiKeys.id })
      .from(apiKeys)
      .where(
        and(
          notEmitted,
          gt(apiKeys.expiresAt, now),
          lt(apiKeys.expiresAt, sql`${now}::timestamptz + interval '7 days'`),
          sql`${apiKeys.expiresAt} - ${now} <= (${apiKeys.expiresAt} - ${apiKeys.createdAt}) / 4`,
          exists(listening),
          notFrozen(apiKeys.accountId),
        ),
      )
      .limit(BATCH);
    for (const { accountId, id } of found) {
      await db.transaction(async (tx) => {
        const [row] = await tx
          .update(apiKeys)
          .set({ expiringEmittedAt: at })
          .where(and(eq(apiKeys.accountId, accountId), eq(apiKeys.id, id), notEmitted))
          .returning();
        if (row) await emitKeyEvent(tx, row, "api_key.expiring", { caller: { id: "system" }, at });
      });
    }
    if (found.length < BATCH) return;
  }
}
