import {
  and,
  arrayContains,
  eq,
  exists,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  ne,
  type SQL,
  sql,
} from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { allOf, anyOf } from "#db/conditions.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { webhookHealth, webhooks } from "#db/schema/webhooks.ts";
import { defined } from "#server/base/defined.ts";
import { idOf, toUuid } from "#server/base/ids.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import type { Caller } from "#server/operation/caller.ts";
import { visible } from "#server/operation/tenancy.ts";
import type { Webhook } from "./schema.ts";

const {
  secret: _secret,
  previousSecret: _previous,
  headers: _headers,
  filterPath: _path,
  ...shownColumns
} = getTableColumns(webhooks);
const {
  accountId: _account,
  webhookId: _webhook,
  claimedBy: _claim,
  ...healthColumns
} = getTableColumns(webhookHealth);

/**
 * How the owner key has ended, or a key above it; null while it lives. That is effective at once, even if the webhook's
 * row does not record it yet, or was inserted while the key was being revoked.
 */
const ownerEnd = sql<"key_revoked" | "key_expired" | null>`(
  select case when bool_or(a.revoked_at is not null) then 'key_revoked'
    when bool_or(key_expiry(a.expires_at, a.last_used_at) <= now()) then 'key_expired' end
  from api_keys o join api_keys a on a.account_id = o.account_id and a.id = any(o.chain)
  where o.account_id = ${webhooks.accountId} and o.id = ${webhooks.ownerKeyId})`;

/** Selects webhooks with the columns for `toWebhook`. */
export function selectWebhooks(db: Db | Transaction) {
  return db
    .select({ ...shownColumns, health: healthColumns, endUser: endUsers.externalId, ownerEnd })
    .from(webhooks)
    .innerJoin(
      webhookHealth,
      and(eq(webhookHealth.accountId, webhooks.accountId), eq(webhookHealth.webhookId, webhooks.id)),
    )
    .leftJoin(endUsers, and(eq(endUsers.accountId, webhooks.accountId), eq(endUsers.id, webhooks.endUserId)));
}

export type WebhookRow = Awaited<ReturnType<typeof selectWebhooks>>[number];

/** A key manages the webhooks that it and its descendants own, a member every webhook of the account. */
export function manageable(db: Db | Transaction, caller: Caller): SQL {
  return allOf(
    visible(webhooks, caller),
    caller.type === "key"
      ? exists(
          db
            .select({ id: apiKeys.id })
            .from(apiKeys)
            .where(
              and(
                eq(apiKeys.accountId, webhooks.accountId),
                eq(apiKeys.id, webhooks.ownerKeyId),
                arrayContains(apiKeys.chain, [caller.id]),
              ),
            ),
        )
      : undefined,
  );
}

/** Returns a webhook that the caller manages, locked until the transaction ends. */
export async function lockWebhook(
  tx: Transaction,
  caller: Caller,
  webhookId: string,
): Promise<WebhookRow | undefined> {
  const one = and(manageable(tx, caller), eq(webhooks.id, webhookId));
  const [locked] = await tx.select({ id: webhooks.id }).from(webhooks).where(one).for("update");
  if (!locked) return undefined;
  const [row] = await selectWebhooks(tx).where(one);
  return row;
}

/** Returns a webhook's current status with the reason. */
export function statusOf({ status, disabledReason, ownerEnd }: WebhookRow) {
  return status !== "disabled" && ownerEnd
    ? ({ status: "disabled", disabledReason: ownerEnd } as const)
    : { status, disabledReason };
}

/** The condition of a webhook's current status. */
export function hasStatus(status: Webhook["status"]): SQL {
  if (status === "disabled") return anyOf(eq(webhooks.status, status), isNotNull(ownerEnd));
  return allOf(eq(webhooks.status, status), isNull(ownerEnd));
}

/** The condition of webhooks that nobody has disabled manually. */
export const notDisabledManually = sql`${webhooks.disabledReason} is distinct from 'manual'`;

const iso = (at: Date | null) => at?.toISOString() ?? null;

const RECENT = 100;

/** Returns webhooks in their public form, with the results of each one's last deliveries. */
export async function withDeliveries(
  db: Db | Transaction,
  rows: readonly WebhookRow[],
): Promise<z.input<typeof Webhook>[]> {
  const [first] = rows;
  if (!first) return [];
  const ids = rows.map(({ id }) => toUuid("webhook", id));
  const counted = await db.execute<{ id: string; succeeded: number; failed: number }>(sql`
    select w.id, count(*) filter (where h.status = 'succeeded')::int as succeeded,
      count(*) filter (where h.status <> 'succeeded')::int as failed
    from unnest(${sql.param(ids)}::uuid[]) w(id), lateral (
      select h.status from webhook_history h
      where h.account_id = ${toUuid("account", first.accountId)} and h.webhook_id = w.id
      order by h.id desc limit ${RECENT}) h
    group by w.id`);
  const byId = new Map(counted.map(({ id, ...deliveries }) => [idOf("webhook", id), deliveries]));
  return rows.map((row) => {
    const webhook = toWebhook(row);
    const lastDeliveries = byId.get(row.id) ?? { succeeded: 0, failed: 0 };
    return { ...webhook, health: { ...webhook.health, lastDeliveries } };
  });
}

/** Returns a webhook's row in its public form. */
export function toWebhook(row: WebhookRow): z.input<typeof Webhook> {
  const { health } = row;
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    events: row.events,
    filter: row.filter,
    payload: row.payload,
    headerNames: row.headerNames,
    ...statusOf(row),
    ownerKeyId: row.ownerKeyId,
    createdByKeyId: row.createdByKeyId,
    health: {
      status: health.failures > 0 ? "failing" : health.lastSuccessAt ? "healthy" : "unknown",
      consecutiveFailures: health.failures,
      failingSince: iso(health.failingSince),
      lastSuccessAt: iso(health.lastSuccessAt),
      lastFailureAt: iso(health.lastFailureAt),
    },
    previousSecretExpiresAt: iso(row.previousSecretExpiresAt),
    projectId: row.projectId,
    endUser: row.endUser,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Emits a webhook's event to the webhooks of its owner's branch. */
export async function emitWebhookEvent(
  tx: Transaction,
  row: WebhookRow,
  type: "webhook.failing" | "webhook.disabled",
): Promise<void> {
  const { accountId, projectId, endUserId, id, ownerKeyId } = row;
  await emitEvent(tx, {
    type,
    accountId,
    projectId,
    endUserId,
    resource: id,
    keyId: ownerKeyId,
    data: { webhook: toWebhook(row) },
  });
}

type Reason = NonNullable<WebhookRow["disabledReason"]>;

/**
 * Disables a webhook, abandons its waiting deliveries, and emits its event. Returns false if it was disabled already.
 */
export async function disableWebhook(
  tx: Transaction,
  { accountId, id }: { accountId: string; id: string },
  reason: Reason,
): Promise<boolean> {
  const one = allOf(eq(webhooks.accountId, accountId), eq(webhooks.id, id));
  const disabled = await tx
    .update(webhooks)
    .set({ status: "disabled", disabledReason: reason, disabledAt: sql`now()`, updatedAt: sql`now()` })
    .where(and(one, ne(webhooks.status, "disabled")))
    .returning({ id: webhooks.id });
  if (disabled.length === 0) return false;
  await tx.execute(
    sql`select abandon_deliveries(${sql.param(accountId, webhooks.accountId)}, ${sql.param(id, webhooks.id)})`,
  );
  const [row] = await selectWebhooks(tx).where(one);
  await emitWebhookEvent(tx, defined(row), "webhook.disabled");
  return true;
}

/** Disables the webhooks that these ended keys own. */
export async function disableWebhooksOf(
  tx: Transaction,
  accountId: string,
  keyIds: readonly string[],
  reason: "key_revoked" | "key_expired",
): Promise<void> {
  const owned = await tx
    .select({ accountId: webhooks.accountId, id: webhooks.id })
    .from(webhooks)
    .where(
      and(
        eq(webhooks.accountId, accountId),
        inArray(webhooks.ownerKeyId, [...keyIds]),
        ne(webhooks.status, "disabled"),
      ),
    )
    .orderBy(webhooks.id);
  for (const webhook of owned) await disableWebhook(tx, webhook, reason);
}
