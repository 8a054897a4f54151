import { z } from "zod";
import { webhookEvents } from "#db/schema/webhooks.ts";
import { idOf, newUuid } from "#server/base/ids.ts";
import { EVENTS } from "#server/events/catalogue.ts";
import { payloadOf } from "#server/events/emit-event.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { queueDelivery, refuseDisabled } from "./deliveries.ts";
import { lockWebhook, toWebhook } from "./queries.ts";
import { Delivery, WebhookParams } from "./schema.ts";

const TYPE = "webhook.test";

export const testWebhook = operation({
  id: "webhooks.test",
  method: "POST",
  path: "/webhooks/{webhookId}/test",
  summary: "Send a test event to a webhook",
  description: "Sends `webhook.test` to it, whatever events it asks for.",
  scope: "webhooks:write",
  idempotent: true,
  params: WebhookParams,
  body: z.object({}),
  output: z.object({ delivery: Delivery.describe("The new delivery.") }),
  status: 202,
  errors: ["not_found", "state_conflict"],

  async handler({ params, caller, db }) {
    const webhook = await lockWebhook(db, caller, params.webhookId);
    if (!webhook) throw notFound("webhook", params.webhookId);
    refuseDisabled(webhook);
    const uuid = newUuid();
    const id = idOf("webhookEvent", uuid);
    const { accountId, projectId, endUserId } = webhook;
    const data = EVENTS[TYPE].data.parse({ webhook: toWebhook(webhook) });
    const [head, tail] = payloadOf({ type: TYPE, projectId, resource: webhook.id }, data, uuid);
    await db.insert(webhookEvents).values({
      accountId,
      projectId,
      endUserId,
      id,
      type: TYPE,
      scope: EVENTS[TYPE].scope,
      // A test does not change the webhook, so it uses up no event number.
      accountWide: false,
      payload: `${head}0${tail}`,
    });
    return { delivery: await queueDelivery(db, webhook, { id, type: TYPE }) };
  },
});
