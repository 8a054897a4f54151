import { sql } from "drizzle-orm";
import { z } from "zod";
import { webhooks } from "#db/schema/webhooks.ts";
import { notFound } from "#server/operation/errors.ts";
import { sentInstant } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { refuseDisabled } from "./deliveries.ts";
import { lockWebhook } from "./queries.ts";
import { WebhookParams } from "./schema.ts";

export const recoverEvents = operation({
  id: "webhooks.recover",
  method: "POST",
  path: "/webhooks/{webhookId}/recover",
  summary: "Recover a webhook's missed events",
  description:
    "Sends every event since a time that the webhook should have received and did not, those of a pause included. Deliveries that already wait are unaffected.",
  scope: "webhooks:write",
  idempotent: true,
  params: WebhookParams,
  body: z.object({ since: sentInstant.describe("The start of the period, ISO 8601.") }),
  output: z.object({ deliveries: z.int().describe("The number of queued deliveries.") }),
  status: 202,
  errors: ["not_found", "state_conflict"],

  async handler({ params, body, caller, db }) {
    const webhook = await lockWebhook(db, caller, params.webhookId);
    if (!webhook) throw notFound("webhook", params.webhookId);
    refuseDisabled(webhook);
    const [row] = await db.execute<{ queued: number }>(sql`
      select recover_events(${sql.param(webhook.accountId, webhooks.accountId)}, ${sql.param(webhook.id, webhooks.id)},
        ${body.since}) as queued`);
    platform().wakeUps.send("events");
    return { deliveries: row?.queued ?? 0 };
  },
});
