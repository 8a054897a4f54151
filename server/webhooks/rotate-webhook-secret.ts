import { and, eq, sql } from "drizzle-orm";
import { webhooks } from "#db/schema/webhooks.ts";
import { defined } from "#server/base/defined.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { lockWebhook, selectWebhooks, toWebhook } from "./queries.ts";
import { RotateSecret, WebhookParams, WebhookWithSecret } from "./schema.ts";
import { newWebhookSecret, sealSecret } from "./secrets.ts";

export const rotateWebhookSecret = operation({
  id: "webhooks.rotate",
  method: "POST",
  path: "/webhooks/{webhookId}/rotate-secret",
  summary: "Rotate a webhook's secret",
  description:
    "Creates a new secret, which only this response contains. During the overlap, deliveries have a signature by the old secret, too; a secret still overlapping from an earlier rotation ends.",
  scope: "webhooks:write",
  idempotent: true,
  secretOutput: true,
  params: WebhookParams,
  body: RotateSecret,
  output: WebhookWithSecret,
  errors: ["not_found"],
  examples: { body: { overlapSeconds: 3600 } },

  async handler({ params, body: { overlapSeconds }, caller, db }) {
    const before = await lockWebhook(db, caller, params.webhookId);
    if (!before) throw notFound("webhook", params.webhookId);
    const secret = newWebhookSecret();
    const one = and(eq(webhooks.accountId, before.accountId), eq(webhooks.id, before.id));
    await db
      .update(webhooks)
      .set({
        secret: sealSecret(platform().settings.sealingKeys, before, secret),
        previousSecret: overlapSeconds > 0 ? sql`${webhooks.secret}` : null,
        previousSecretExpiresAt:
          overlapSeconds > 0 ? sql`now() + make_interval(secs => ${overlapSeconds})` : null,
        updatedAt: sql`greatest(clock_timestamp(), ${webhooks.updatedAt} + interval '1 millisecond')`,
      })
      .where(one);
    const [row] = await selectWebhooks(db).where(one);
    return { webhook: toWebhook(defined(row)), secret };
  },
});
