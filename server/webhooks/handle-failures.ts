import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { webhookHealth, webhooks } from "#db/schema/webhooks.ts";
import { currentMs } from "#server/base/clock.ts";
import { DAY_MS } from "#server/base/durations.ts";
import type { FailedEndpoint } from "./attempt-writer.ts";
import { disableWebhook, emitWebhookEvent, selectWebhooks } from "./queries.ts";

const WARN_AFTER = 2 * DAY_MS;
const DISABLE_AFTER = 5 * DAY_MS;
const WARNED_AT_LEAST = DAY_MS;

/**
 * Handles endpoints that have just failed: disables those that no longer exist; emits a warning after two days
 * without a success; disables after five days, but no earlier than a day after the warning.
 */
export async function handleFailures(
  db: Db,
  failed: readonly FailedEndpoint[],
  gone: readonly { accountId: string; webhookId: string }[],
  now = currentMs(),
): Promise<void> {
  for (const { accountId, webhookId } of gone)
    await db.transaction((tx) => disableWebhook(tx, { accountId, id: webhookId }, "gone"));
  for (const endpoint of failed) {
    const failing = now - endpoint.failingSince.getTime();
    if (!endpoint.warnedAt && failing >= WARN_AFTER) await warn(db, endpoint);
    else if (
      endpoint.warnedAt &&
      failing >= DISABLE_AFTER &&
      now - endpoint.warnedAt.getTime() >= WARNED_AT_LEAST
    )
      await db.transaction((tx) =>
        disableWebhook(tx, { accountId: endpoint.accountId, id: endpoint.webhookId }, "failing"),
      );
  }
}

async function warn(db: Db, { accountId, webhookId }: FailedEndpoint): Promise<void> {
  await db.transaction(async (tx) => {
    const warned = await tx
      .update(webhookHealth)
      .set({ warnedAt: sql`now()` })
      .where(
        and(
          eq(webhookHealth.accountId, accountId),
          eq(webhookHealth.webhookId, webhookId),
          isNull(webhookHealth.warnedAt),
        ),
      )
      .returning({ id: webhookHealth.webhookId });
    if (warned.length === 0) return;
    const [row] = await selectWebhooks(tx).where(
      and(eq(webhooks.accountId, accountId), eq(webhooks.id, webhookId)),
    );
    if (row) await emitWebhookEvent(tx, row, "webhook.failing");
  });
}
