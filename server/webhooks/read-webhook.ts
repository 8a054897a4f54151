import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { webhooks } from "#db/schema/webhooks.ts";
import { defined } from "#server/base/defined.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { manageable, selectWebhooks, withDeliveries } from "./queries.ts";
import { Webhook, WebhookParams } from "./schema.ts";

export const readWebhook = operation({
  id: "webhooks.read",
  method: "GET",
  path: "/webhooks/{webhookId}",
  summary: "Read a webhook",
  description: "Returns a webhook that the key or one of its descendants owns.",
  scope: "webhooks:read",
  params: WebhookParams,
  output: z.object({ webhook: Webhook }),
  errors: ["not_found"],

  async handler({ params, caller, db }) {
    const one = and(manageable(db, caller), eq(webhooks.id, params.webhookId));
    const [row] = await selectWebhooks(db).where(one);
    if (!row) throw notFound("webhook", params.webhookId);
    const [webhook] = await withDeliveries(db, [row]);
    return { webhook: defined(webhook) };
  },
});
