import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { webhooks } from "#db/schema/webhooks.ts";
import { notFound } from "#server/operation/errors.ts";
import { sentInstant } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { manageable } from "./queries.ts";
import { WebhookParams } from "./schema.ts";

export const readMissedEvents = operation({
  id: "webhooks.missed.read",
  method: "GET",
  path: "/webhooks/{webhookId}/missed",
  summary: "Read how many events a webhook missed",
  description: "Returns how many events `webhooks.recover` would send.",
  scope: "webhooks:read",
  params: WebhookParams,
  query: z.object({ since: sentInstant.describe("The start of the period, ISO 8601.") }),
  output: z.object({
    events: z.int().describe("The number of events that the webhook should have received and did not."),
  }),
  errors: ["not_found"],
  examples: { query: { since: "2027-01-31T12:00:00.000Z" } },

  async handler({ params, query, caller, db }) {
    const [webhook] = await db
      .select({ id: webhooks.id })
      .from(webhooks)
      .where(and(manageable(db, caller), eq(webhooks.id, params.webhookId)));
    if (!webhook) throw notFound("webhook", params.webhookId);
    const [row] = await db.execute<{ events: number }>(sql`
      select count(*)::int as events from missed_events(${sql.param(caller.accountId, webhooks.accountId)},
        ${sql.param(webhook.id, webhooks.id)}, ${query.since})`);
    return { events: row?.events ?? 0 };
  },
});
