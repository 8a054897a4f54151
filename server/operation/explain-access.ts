import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Db, Transaction } from "#db/client.ts";
import { defined } from "#server/base/defined.ts";
import { idOf, toUuid, uuidOf } from "#server/base/ids.ts";
import { type AccessQuestion, roleCovers } from "./access.ts";
import type { Caller } from "./caller.ts";

/**
 * The check that would refuse a call, and the highest key of the chain that fails it; null for a member's
 * role.
 */
export interface Denial {
  check: "scope" | "service" | "operation" | "limit";
  keyId: string | null;
}

/** An access question with the call's price, for `creditsPerDay`. */
export interface PricedQuestion extends AccessQuestion {
  credits: number;
}

/**
 * Returns for each call the check that would refuse it now, decided as admission does; null if it would be
 * admitted.
 */
export async function explainAccess(
  db: Db | Transaction,
  caller: Caller,
  questions: readonly PricedQuestion[],
): Promise<(Denial | null)[]> {
  if (caller.type !== "key") {
    return questions.map(({ scope, selectors }) =>
      scope === null || roleCovers(caller, scope, defined(selectors.at(-1)))
        ? null
        : { check: "scope", keyId: null },
    );
  }
  const rows = await db.execute<{ denied: { check: Denial["check"]; keyId: string } | null }>(sql`
    select denied from explain_access(${toUuid("account", caller.accountId)}, ${uuidsOf(caller.chain)},
      ${JSON.stringify(questions)}::jsonb)`);
  return rows.map(({ denied }) => denied && { check: denied.check, keyId: idOf("apiKey", denied.keyId) });
}

/**
 * The access decision on a call or a part of it: for each check, the highest key of the chain that fails it.
 */
export interface ChainDecision {
  scope: string | null;
  service: string | null;
  operation: string | null;
  /** The first failing check of the three. */
  denied: { check: "scope" | "service" | "operation"; keyId: string } | null;
}

/**
 * Judges calls, or a scope or a service alone, by the policies of a key chain. Ignores limits, and whether
 * the keys are revoked or expired.
 */
export async function judgeChain(
  db: Db | Transaction,
  { accountId, chain }: { accountId: string; chain: readonly string[] },
  questions: readonly Partial<AccessQuestion>[],
): Promise<ChainDecision[]> {
  const rows = await db.execute<Record<string, unknown> & ChainDecision>(sql`
    select j.scope_by as scope, j.service_by as service, j.operation_by as operation,
      access_denial(j.scope_by, j.service_by, j.operation_by) as denied
    from rows from (jsonb_to_recordset(${JSON.stringify(questions)}::jsonb) as (
        scope text, service text, selectors text[], exact boolean, "registeredAt" bigint, "serviceRegisteredAt" bigint
      )) with ordinality c(scope, service, selectors, exact, registered_ms, service_registered_ms, nth),
      lateral judge_chain(${toUuid("account", accountId)}, ${uuidsOf(chain)}, 0, c.scope, c.service, c.selectors, c.exact,
        c.registered_ms, c.service_registered_ms) j
    order by c.nth`);
  const id = (uuid: string | null) => uuid && idOf("apiKey", uuid);
  return rows.map(({ scope, service, operation, denied }) => ({
    scope: id(scope),
    service: id(service),
    operation: id(operation),
    denied: denied && { check: denied.check, keyId: idOf("apiKey", denied.keyId) },
  }));
}

const uuidsOf = (chain: readonly string[]) =>
  sql`${sql.param(chain.map((id) => toUuid("apiKey", id)))}::uuid[]`;

/** The checks of the access decision on a call with a key, in order. */
export const KEY_CHECKS = ["key", "scope", "service", "operation", "limit"] as const;

/**
 * Returns for each check the highest key of the chain that refuses the call now; null if none does. Limits
 * are checked only for a call that passes all other checks.
 */
export async function judgeCall(
  db: Db | Transaction,
  { accountId, chain, at }: { accountId: string; chain: readonly string[]; at: Date },
  question: PricedQuestion,
): Promise<Record<(typeof KEY_CHECKS)[number], string | null>> {
  const account = toUuid("account", accountId);
  const keys = uuidsOf(chain);
  const { scope, service, selectors, exact, registeredAt, serviceRegisteredAt } = question;
  const [row] = await db.execute<Record<string, string | null>>(sql`
    select coalesce(j.revoked_by, j.expired_by) as key, j.scope_by as scope, j.service_by as service,
      j.operation_by as operation, case when e.denied ->> 'check' = 'limit' then e.denied ->> 'keyId' end as "limit"
    from judge_chain(${account}, ${keys}, ${at.getTime()}, ${scope}, ${service}, ${sql.param(selectors)}::text[],
        ${exact}, ${registeredAt}, ${serviceRegisteredAt}) j,
      explain_access(${account}, ${keys}, ${JSON.stringify([question])}::jsonb) e`);
  const idIn = (check: string) => (row?.[check] ? idOf("apiKey", row[check]) : null);
  return {
    key: idIn("key"),
    scope: idIn("scope"),
    service: idIn("service"),
    operation: idIn("operation"),
    limit: idIn("limit"),
  };
}

/**
 * Returns the condition that a key or member may make a call now, whatever its limits: judges the key's whole chain, or
 * the member's role. The service can be a column.
 */
export function mayCall(
  { accountId, id }: Pick<Caller, "accountId" | "id">,
  question: Omit<AccessQuestion, "service"> & { service: string | PgColumn | null },
): SQL<boolean> {
  const { scope, service, selectors, exact, registeredAt, serviceRegisteredAt } = question;
  const account = toUuid("account", accountId);
  const member = uuidOf("member", id);
  if (member)
    return sql`exists (select from members m where m.account_id = ${account} and m.id = ${member}
      and (${scope}::text is null or role_has(m.role, ${scope})))`;
  return sql`exists (
    select from api_keys k, lateral judge_chain(k.account_id, k.chain, (extract(epoch from clock_timestamp()) * 1000)::bigint,
      ${scope}, ${service}, ${sql.param(selectors)}::text[], ${exact}, ${registeredAt}, ${serviceRegisteredAt}) j
    where k.account_id = ${account} and k.id = ${uuidOf("apiKey", id)}
      and coalesce(j.revoked_by, j.expired_by, j.scope_by, j.service_by, j.operation_by) is null)`;
}
