import { and, eq, ne } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { accounts } from "#db/schema/accounts.ts";
import { webhookHealth, webhooks } from "#db/schema/webhooks.ts";
import { currentTime } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { newId } from "#server/base/ids.ts";
import { ApiError } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { assignmentOf } from "#server/operation/tenancy.ts";
import { platform } from "#server/platform.ts";
import { checkSettings } from "./check-settings.ts";
import { refuseBeyondRole } from "./member-role.ts";
import { projectFor } from "./project-for.ts";
import { selectWebhooks, toWebhook } from "./queries.ts";
import { CreateWebhook, WebhookWithSecret } from "./schema.ts";
import { newWebhookSecret, sealSecret } from "./secrets.ts";
import { filterColumns } from "./settings/compile-filter.ts";
import { changedHeaders, headerColumns } from "./settings/headers.ts";

const MAX_WEBHOOKS = 100;

export const createWebhook = operation({
  id: "webhooks.create",
  method: "POST",
  path: "/webhooks",
  summary: "Create a webhook",
  description:
    "Sends the account's events to an address, signed with a secret that only this response contains. The webhook receives the events that its owner, the calling key, could read: the key's scopes, services, project, end user and branch are checked when each event is sent. An account has at most 100 webhooks that are not disabled.",
  scope: "webhooks:write",
  idempotent: true,
  secretOutput: true,
  body: CreateWebhook,
  output: WebhookWithSecret,
  status: 201,
  errors: ["not_found", "state_conflict", "project_not_allowed"],
  examples: { body: { url: "https://example.com/hooks/platform", events: ["*"] } },

  async handler({ body, caller, db }) {
    const { url, events, description = null, filter = null, payload, headers = {} } = body;
    checkSettings({ url, events, filter });
    refuseBeyondRole(caller, events);
    const assignment = await assignmentOf(db, caller);
    const projectId = await projectFor(db, caller, body.projectId);
    await refuseTooMany(db, caller.accountId);
    const owner = { accountId: caller.accountId, id: newId("webhook") };
    const keyId = caller.type === "key" ? caller.id : null;
    const secret = newWebhookSecret();
    const { sealingKeys } = platform().settings;
    await db.insert(webhooks).values({
      ...assignment,
      ...owner,
      projectId,
      url,
      events: [...new Set(events)],
      description,
      ...filterColumns(filter),
      payload,
      ...headerColumns(sealingKeys, owner, changedHeaders({}, headers)),
      status: "active",
      ownerKeyId: keyId,
      memberRole: caller.type === "member" ? caller.role : null,
      createdByKeyId: keyId,
      updatedAt: currentTime(),
      secret: sealSecret(sealingKeys, owner, secret),
    });
    await db.insert(webhookHealth).values({ accountId: owner.accountId, webhookId: owner.id });
    const [row] = await selectWebhooks(db).where(
      and(eq(webhooks.accountId, owner.accountId), eq(webhooks.id, owner.id)),
    );
    return { webhook: toWebhook(defined(row)), secret };
  },
});

/** Refuses more webhooks than the limit, since each event is copied for every webhook that receives it. */
async function refuseTooMany(db: Transaction, accountId: string): Promise<void> {
  // Locks the account, so that two concurrent creations cannot both pass.
  await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for("no key update");
  const open = await db.$count(
    webhooks,
    and(eq(webhooks.accountId, accountId), ne(webhooks.status, "disabled")),
  );
  if (open >= MAX_WEBHOOKS)
    throw new ApiError(
      "state_conflict",
      `The account has ${open} webhooks, the most there may be. Disable one.`,
    );
}
