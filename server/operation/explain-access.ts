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

/** For each call whether the caller would be let through now, as admission decides it: null where he would. */
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
