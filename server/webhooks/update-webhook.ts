import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { webhookHealth, webhooks } from "#db/schema/webhooks.ts";
import { defined } from "#server/base/defined.ts";
import { ApiError, invalid, notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { checkSettings } from "./check-settings.ts";
import { memberRoleAfter, refuseBeyondRole } from "./member-role.ts";
import { lockWebhook, selectWebhooks, statusOf, toWebhook, type WebhookRow } from "./queries.ts";
import { UpdateWebhook, Webhook, WebhookParams } from "./schema.ts";
import { filterColumns } from "./settings/compile-filter.ts";
import { changedHeaders, countFault, headerColumns, openHeaders } from "./settings/headers.ts";

export const updateWebhook = operation({
  id: "webhooks.update",
  method: "PATCH",
  path: "/webhooks/{webhookId}",
  summary: "Update a webhook",
  description:
    "Changes only the fields sent. `active` on a disabled one brings it back; where its owner key has ended, a key above that one, or a member, so becomes its owner.",
  scope: "webhooks:write",
  idempotent: true,
  params: WebhookParams,
  body: UpdateWebhook,
  output: z.object({ webhook: Webhook }),
  errors: ["not_found", "state_conflict"],
  examples: { body: { events: ["project.*"], status: "active" } },

  async handler({ params, body, caller, db }) {
    const { headers, filter, ...settings } = body;
    const before = await lockWebhook(db, caller, params.webhookId);
    if (!before) throw notFound("webhook", params.webhookId);
    checkSettings(body, before);
    const added = body.events?.filter((pattern) => !before.events.includes(pattern)) ?? [];
    refuseBeyondRole(caller, added);
    const was = statusOf(before);
    if (body.status === "paused" && was.status === "disabled")
      throw new ApiError(
        "state_conflict",
        `Webhook ${params.webhookId} is disabled (${was.disabledReason}). Send status active to bring it back.`,
      );
    const one = allOf(eq(webhooks.accountId, before.accountId), eq(webhooks.id, before.id));
    const revived = body.status === "active" && was.status === "disabled";
    const adopted = revived && before.ownerEnd !== null;
    const memberRole = memberRoleAfter(caller, before, { choice: body, adopted });
    await db
      .update(webhooks)
      .set({
        ...settings,
        ...(filter !== undefined && filterColumns(filter)),
        ...(headers !== undefined && (await withHeaders(db, before, headers))),
        ...(body.events && { events: [...new Set(body.events)] }),
        ...(revived && { disabledReason: null, disabledAt: null }),
        ...(adopted && { ownerKeyId: caller.type === "key" ? caller.id : null }),
        memberRole,
        updatedAt: sql`greatest(clock_timestamp(), ${webhooks.updatedAt} + interval '1 millisecond')`,
      })
      .where(one);
    if (memberRole !== before.memberRole)
      await db.execute(sql`select abandon_beyond_role(${accountOf(before)}, ${idOf(before)})`);
    if (revived || (body.url !== undefined && body.url !== before.url)) await forgetFailures(db, before);
    if (body.status === "active")
      await db.execute(sql`select wake_endpoint(${accountOf(before)}, ${idOf(before)})`);
    const [row] = await selectWebhooks(db).where(one);
    return { webhook: toWebhook(defined(row)) };
  },
});

/** Returns the columns of the webhook's headers after a change. */
async function withHeaders(
  tx: Transaction,
  { accountId, id }: WebhookRow,
  changes: Record<string, string | null> | null,
) {
  const { sealingKeys } = platform().settings;
  const [row] = await tx
    .select({ sealed: webhooks.headers })
    .from(webhooks)
    .where(and(eq(webhooks.accountId, accountId), eq(webhooks.id, id)));
  const before = changes ? openHeaders(sealingKeys, { accountId, id }, defined(row).sealed) : {};
  const headers = changedHeaders(before, changes);
  const fault = countFault(headers);
  if (fault) throw invalid("body.headers", fault);
  return headerColumns(sealingKeys, { accountId, id }, headers);
}

const accountOf = ({ accountId }: WebhookRow) => sql.param(accountId, webhooks.accountId);
const idOf = ({ id }: WebhookRow) => sql.param(id, webhooks.id);

/** A new address, or a reactivation, is not judged by earlier failures. */
async function forgetFailures(tx: Transaction, { accountId, id }: WebhookRow): Promise<void> {
  await tx
    .update(webhookHealth)
    .set({ failures: 0, failingSince: null, warnedAt: null })
    .where(and(eq(webhookHealth.accountId, accountId), eq(webhookHealth.webhookId, id)));
}
