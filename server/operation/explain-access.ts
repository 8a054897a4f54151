import { sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { idOf, uuidOf } from "#server/ids.ts";
import { type AccessQuestion, roleCovers } from "./access.ts";
import type { Caller } from "./caller.ts";

/** The check that would refuse a call, and the highest key of the chain that does; null for a member's role. */
export interface Denial {
  check: "scope" | "service" | "operation" | "limit";
  keyId: string | null;
}

/** A question with what the call costs, for `creditsPerDay`. */
export interface PricedQuestion extends AccessQuestion {
  credits: number;
}

/** For each call whether the caller would be let through now, as admission decides it: null where it would. */
export async function explainAccess(
  db: Db | Transaction,
  caller: Caller,
  questions: readonly PricedQuestion[],
): Promise<(Denial | null)[]> {
  if (caller.type !== "key") {
    return questions.map(({ scope, selectors }) =>
      roleCovers(caller, scope, selectors.at(-1) as string) ? null : { check: "scope", keyId: null },
    );
  }
  const chain = caller.chain.map((id) => uuidOf("apiKey", id));
  const rows = await db.execute<{ denied: { check: Denial["check"]; keyId: string } | null }>(sql`
    select denied from explain_access(${uuidOf("account", caller.accountId)}, ${sql.param(chain)}::uuid[],
      ${JSON.stringify(questions)}::jsonb)`);
  return rows.map(({ denied }) => denied && { check: denied.check, keyId: idOf("apiKey", denied.keyId) });
}

/** The checks of the access decision on a call with a key, in their order. */
export const KEY_CHECKS = ["key", "scope", "service", "operation", "limit"] as const;

/**
 * Check by check the highest key of the chain that refuses the call now; null where none does. Limits count only for
 * a call that the rest lets through.
 */
export async function judgeCall(
  db: Db | Transaction,
  { accountId, chain, at }: { accountId: string; chain: readonly string[]; at: Date },
  question: PricedQuestion,
): Promise<Record<(typeof KEY_CHECKS)[number], string | null>> {
  const account = uuidOf("account", accountId);
  const keys = sql`${sql.param(chain.map((id) => uuidOf("apiKey", id)))}::uuid[]`;
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
