import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { webhookDeliveries, webhookEvents } from "#db/schema/webhooks.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { ofManageable, selectDeliveries, toDelivery } from "./deliveries.ts";
import { roleReads } from "./member-role.ts";
import { Delivery, DeliveryParams } from "./schema.ts";
import { thinBody } from "./thin-body.ts";

export const readDelivery = operation({
  id: "webhookDeliveries.read",
  method: "GET",
  path: "/webhook-deliveries/{deliveryId}",
  summary: "Read a webhook delivery",
  description: "Returns the delivery with its exact body.",
  scope: "webhooks:read",
  params: DeliveryParams,
  output: z.object({
    delivery: Delivery,
    payload: z
      .string()
      .nullable()
      .meta({
        description:
          "The body; null if the event is older than three months, or for a member whose role lacks the event's scope.",
        examples: ['{"id":"whe_01jz4w1n9vf5ha3kqcx8y2r7te","type":"project.created"}'],
      }),
  }),
  errors: ["not_found"],

  async handler({ params, caller, db }) {
    const one = and(ofManageable(db, caller), eq(webhookDeliveries.id, params.deliveryId));
    const [row] = await selectDeliveries(db).where(one);
    if (!row) throw notFound("delivery", params.deliveryId);
    const [event] = await db
      .select({ payload: webhookEvents.payload, scope: webhookEvents.scope })
      .from(webhookEvents)
      .where(and(eq(webhookEvents.accountId, row.accountId), eq(webhookEvents.id, row.eventId)));
    if (!event || (caller.type === "member" && !roleReads(caller.role, event)))
      return { delivery: toDelivery(row), payload: null };
    const payload = row.thin ? thinBody(event.payload) : event.payload;
    return { delivery: toDelivery(row), payload };
  },
});
