import { and, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import type { StoredRefusal } from "#db/schema/audit.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { idOf, uuidOf } from "#server/base/ids.ts";
import type { ErrorCode } from "#server/operation/errors.ts";
import { type Operation, scopeOf } from "#server/operation/operation.ts";
import type { AuditCheck, AuditEvent } from "./schema.ts";

type Check = z.input<typeof AuditCheck>;

/** Stored details of a request that its public event does not contain. */
export interface RequestDetails {
  selector: string;
  refusal: StoredRefusal | null;
  /** True if the event's month is archived: other calls of that time can't be counted any more. */
  archived: boolean;
}

const CODES: Partial<Record<ErrorCode, Check["check"]>> = {
  unauthenticated: "credential",
  api_key_expired: "credential",
  api_key_revoked: "credential",
  ancestor_expired: "credential",
  ancestor_revoked: "credential",
  credit_token_invalid: "credential",
  scope_missing: "scope",
  service_not_allowed: "service",
  operation_not_allowed: "operation",
  limit_exhausted: "limit",
};

/**
 * Returns the checks of a request in the order of judgement: the checked key, the requested access, and the used part
 * of each limit. A key's policy never changes, so its current values are those of the request's time.
 */
export async function checksOf(
  db: Db | Transaction,
  accountId: string,
  event: AuditEvent,
  operation: Operation | undefined,
  details: RequestDetails,
): Promise<Check[]> {
  const { actor } = event;
  const keyId = actor.type === "key" ? actor.id : null;
  const all: Omit<Check, "outcome">[] = [{ check: "credential", keyId, asked: null, limit: null }];
  const scope = operation && scopeOf(operation);
  if (scope) all.push({ check: "scope", keyId, asked: scope, limit: null });
  if (keyId !== null && operation) {
    const service = serviceOf(operation, details.selector);
    if (service !== null) all.push({ check: "service", keyId, asked: service, limit: null });
    all.push({ check: "operation", keyId, asked: details.selector, limit: null });
    const limits = await limitsOf(db, accountId, keyId, event, operation, details);
    all.push(
      ...(limits.length > 0 ? limits : [{ check: "limit" as const, keyId: null, asked: null, limit: null }]),
    );
  }
  all.push({ check: "call", keyId: null, asked: null, limit: null });
  return judged(all, event, details.refusal);
}

function judged(
  all: readonly Omit<Check, "outcome">[],
  { outcome, errorCode }: AuditEvent,
  refusal: StoredRefusal | null,
): Check[] {
  const named = CODES[(errorCode ?? "") as ErrorCode] ?? "call";
  const isRefused = (one: Omit<Check, "outcome">) =>
    one.check === named && (!refusal?.limit || one.check !== "limit" || isLimit(one, refusal));
  const at = outcome === "allowed" ? all.length : all.findIndex(isRefused);
  const refusedAt = at === -1 ? all.length - 1 : at;
  return all.map((one, index) => {
    if (index === refusedAt)
      return { ...one, keyId: refusal?.keyId ?? one.keyId, outcome: "refused" as const };
    // A call that one limit refuses does not count against the others.
    const reached =
      index < refusedAt && !(named === "limit" && refusedAt < all.length && one.check === "limit");
    return { ...one, outcome: reached ? ("passed" as const) : ("not_reached" as const) };
  });
}

function isLimit({ asked, keyId, limit }: Omit<Check, "outcome">, refusal: StoredRefusal): boolean {
  return asked === refusal.limit?.operation && keyId === refusal.keyId && limit?.kind === refusal.limit.kind;
}

/** Returns the service of a selector; null if the operation uses none. */
function serviceOf({ id, service }: Operation, selector: string): string | null {
  if (typeof service === "string") return service;
  return selector === id ? null : (selector.slice(id.length + 1).split(".", 1)[0] ?? null);
}

/** Returns the limits of the key and of its ancestors that cover the call. */
async function limitsOf(
  db: Db | Transaction,
  accountId: string,
  keyId: string,
  { id, at }: AuditEvent,
  { id: operationId, metered }: Operation,
  { selector, archived }: RequestDetails,
): Promise<Omit<Check, "outcome">[]> {
  const [key] = await db
    .select({ chain: apiKeys.chain, limited: apiKeys.limited })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), eq(apiKeys.id, keyId)));
  if (!key?.limited) return [];
  const account = uuidOf("account", accountId);
  const chain = sql`${`{${key.chain.map((link) => uuidOf("apiKey", link)).join()}}`}::uuid[]`;
  const rows = await db.execute<LimitRow & Record<string, unknown>>(sql`
    select l.key_id as "keyId", l.selector, l.requests_per_minute as "requestsPerMinute", l.max_concurrent as "maxConcurrent",
      l.credits_per_day::float8 as "creditsPerDay",
      case when l.requests_per_minute is not null and ${!archived} then (
        select count(*)::int from key_branches b join audit_events e on e.account_id = b.account_id and e.actor_id = b.key_id
        where b.account_id = l.account_id and b.above_id = l.key_id and e.counted
          and e.id > uuid_floor(${at}::timestamptz - interval '60 seconds') and e.id <= ${uuidOf("auditEvent", id)}
          and (l.selector = '*' or e.selector = l.selector or starts_with(e.selector, l.selector || '.'))) end as calls,
      coalesce((
        select d.used from key_days d where d.account_id = l.account_id and d.key_id = l.key_id and d.selector = l.selector
          and d.day = (${at}::timestamptz at time zone 'utc')::date), 0)::float8 as credits
    from key_limits l
    where l.account_id = ${account} and l.key_id = any(${chain})
      and (l.selector = '*' or l.selector = ${operationId} or l.selector = ${selector} or starts_with(${selector}, l.selector || '.'))
    order by array_position(${chain}, l.key_id), l.selector`);
  return rows.flatMap((row) => limitChecks(row, metered === true));
}

interface LimitRow {
  keyId: string;
  selector: string;
  requestsPerMinute: number | null;
  maxConcurrent: number | null;
  creditsPerDay: number | null;
  calls: number | null;
  credits: number;
}

function limitChecks(row: LimitRow, metered: boolean): Omit<Check, "outcome">[] {
  const used = {
    requestsPerMinute: row.calls,
    // The number of concurrent calls is not stored.
    maxConcurrent: null,
    creditsPerDay: row.credits,
  };
  return (["requestsPerMinute", "maxConcurrent", "creditsPerDay"] as const).flatMap((kind) => {
    const limit = row[kind];
    if (limit === null || (kind === "creditsPerDay" && !metered)) return [];
    return [
      {
        check: "limit" as const,
        keyId: idOf("apiKey", row.keyId),
        asked: row.selector,
        limit: { kind, limit, used: used[kind] },
      },
    ];
  });
}
