import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { webhooks } from "#db/schema/webhooks.ts";
import { defined } from "#server/base/defined.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { disableWebhook, lockWebhook, selectWebhooks, toWebhook } from "./queries.ts";
import { Webhook, WebhookParams } from "./schema.ts";

export const disableWebhookByHand = operation({
  id: "webhooks.disable",
  method: "DELETE",
  path: "/webhooks/{webhookId}",
  summary: "Disable a webhook",
  description:
    "Nothing more is sent to the webhook, and its waiting deliveries are abandoned. It stays in the list and can be activated again. Disabling a disabled webhook changes nothing.",
  scope: "webhooks:write",
  idempotent: true,
  params: WebhookParams,
  output: z.object({ webhook: Webhook }),
  errors: ["not_found"],

  async handler({ params, caller, db }) {
    const before = await lockWebhook(db, caller, params.webhookId);
    if (!before) throw notFound("webhook", params.webhookId);
    await disableWebhook(db, before, "manual");
    const [row] = await selectWebhooks(db).where(
      and(eq(webhooks.accountId, before.accountId), eq(webhooks.id, before.id)),
    );
    return { webhook: toWebhook(defined(row)) };
  },
});
