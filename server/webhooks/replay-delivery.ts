import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { webhookDeliveries, webhookEvents } from "#db/schema/webhooks.ts";
import { ApiError, notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { ofManageable, queueDelivery, refuseDisabled, selectDeliveries } from "./deliveries.ts";
import { roleReads } from "./member-role.ts";
import { lockWebhook } from "./queries.ts";
import { Delivery, DeliveryParams } from "./schema.ts";

export const replayDelivery = operation({
  id: "webhookDeliveries.replay",
  method: "POST",
  path: "/webhook-deliveries/{deliveryId}/replay",
  summary: "Replay a webhook delivery",
  description:
    "Sends the same bytes again with the same event id, as a new delivery with its own attempts, to the webhook's current address.",
  scope: "webhooks:write",
  idempotent: true,
  params: DeliveryParams,
  body: z.object({}),
  output: z.object({ delivery: Delivery.describe("The new delivery.") }),
  status: 202,
  errors: ["not_found", "state_conflict"],

  async handler({ params, caller, db }) {
    const one = and(ofManageable(db, caller), eq(webhookDeliveries.id, params.deliveryId));
    const [before] = await selectDeliveries(db).where(one);
    const webhook = before && (await lockWebhook(db, caller, before.webhookId));
    if (!webhook) throw notFound("delivery", params.deliveryId);
    refuseDisabled(webhook);
    const [event] = await db
      .select({ id: webhookEvents.id, type: webhookEvents.type, scope: webhookEvents.scope })
      .from(webhookEvents)
      .where(and(eq(webhookEvents.accountId, before.accountId), eq(webhookEvents.id, before.eventId)));
    if (!event)
      throw new ApiError(
        "state_conflict",
        `The event of delivery ${params.deliveryId} is older than three months and no longer kept.`,
      );
    const { memberRole } = webhook;
    if (memberRole && !roleReads(memberRole, event))
      throw new ApiError(
        "scope_missing",
        `The event ${event.type} needs the scope ${event.scope}, which the role ${memberRole} lacks, whose member has chosen the webhook's address. Have a member with that scope save the webhook.`,
        { check: "scope" },
      );
    return { delivery: await queueDelivery(db, webhook, event, before) };
  },
});
