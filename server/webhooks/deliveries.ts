import { and, eq, exists, type SQL } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { webhookDeliveries, webhookQueue, webhooks } from "#db/schema/webhooks.ts";
import { currentTime } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { newId, timeOf, toUuid } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import { manageable, statusOf, type WebhookRow } from "./queries.ts";
import type { Delivery } from "./schema.ts";

/** Selects deliveries with the columns for `toDelivery`. */
export function selectDeliveries(db: Db | Transaction) {
  return db
    .select({
      accountId: webhookDeliveries.accountId,
      id: webhookDeliveries.id,
      webhookId: webhookDeliveries.webhookId,
      eventId: webhookDeliveries.eventId,
      event: webhookDeliveries.event,
      status: webhookDeliveries.status,
      attempts: webhookDeliveries.attempts,
      nextAttemptAt: webhookDeliveries.nextAttemptAt,
      replayOf: webhookDeliveries.replayOf,
      thin: webhookDeliveries.thin,
      projectId: webhookDeliveries.projectId,
      endUser: endUsers.externalId,
    })
    .from(webhookDeliveries)
    .leftJoin(
      endUsers,
      and(eq(endUsers.accountId, webhookDeliveries.accountId), eq(endUsers.id, webhookDeliveries.endUserId)),
    );
}

export type DeliveryRow = Awaited<ReturnType<typeof selectDeliveries>>[number];

/** Returns the condition for deliveries of webhooks that the caller manages. */
export function ofManageable(db: Db | Transaction, caller: Caller): SQL {
  const own = and(
    eq(webhooks.accountId, webhookDeliveries.accountId),
    eq(webhooks.id, webhookDeliveries.webhookId),
    manageable(db, caller),
  );
  return allOf(
    eq(webhookDeliveries.accountId, caller.accountId),
    exists(db.select({ id: webhooks.id }).from(webhooks).where(own)),
  );
}

/** Returns a delivery's row in its public form. */
export function toDelivery({ accountId: _, thin: _thin, ...row }: DeliveryRow): z.input<typeof Delivery> {
  return {
    ...row,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    createdAt: timeOf(toUuid("delivery", row.id)).toISOString(),
  };
}

/** Refuses to send to a disabled webhook. */
export function refuseDisabled(webhook: WebhookRow): void {
  const { status, disabledReason } = statusOf(webhook);
  if (status === "disabled")
    throw new ApiError(
      "state_conflict",
      `Webhook ${webhook.id} is disabled (${disabledReason}). Bring it back with status active first.`,
    );
}

/** Queues an event for a webhook, whatever events it subscribes to, and returns the delivery. */
export async function queueDelivery(
  tx: Transaction,
  { accountId, id: webhookId, projectId, endUserId, payload }: WebhookRow,
  event: { id: string; type: string },
  /** The delivery that the new one repeats. */
  before: Pick<DeliveryRow, "id" | "thin"> | null = null,
): Promise<z.input<typeof Delivery>> {
  const id = newId("delivery");
  const about = { accountId, webhookId, projectId, endUserId, eventId: event.id, event: event.type };
  const thin = before?.thin ?? payload === "thin";
  await tx
    .insert(webhookQueue)
    .values({ ...about, id, replayOf: before?.id ?? null, thin, dueAt: currentTime() });
  platform().wakeUps.send("events");
  const one = and(eq(webhookDeliveries.accountId, accountId), eq(webhookDeliveries.id, id));
  const [row] = await selectDeliveries(tx).where(one);
  return toDelivery(defined(row));
}
