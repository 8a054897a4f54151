import { and, eq, inArray } from "drizzle-orm";
import { apiKeys } from "#db/schema/keys.ts";
import { reaches } from "#server/keys/boundary.ts";
import type { Caller } from "#server/operation/caller.ts";
import { platform } from "#server/platform.ts";
import type { Action } from "./action.ts";

/** The check that refuses. */
export type Denial = { check: "scope" | "service" | "operation"; keyId: string | null };

/** What would refuse the caller, as admission decides it, action by action: null where nothing would. */
export async function denialsOf(caller: Caller, actions: readonly Action[]): Promise<(Denial | null)[]> {
  const chain = caller.type === "key" ? await chainOf(caller.accountId, caller.chain) : [];
  return actions.map(({ name, operation, target }) => {
    const scope = operation.scope;
    if (scope && !caller.scopes.includes(scope)) return { check: "scope", keyId: caller.id };
    const service = target?.serviceId ?? (typeof operation.service === "string" ? operation.service : null);
    const closed = service && chain.find((key) => key.allowedServices?.includes(service) === false);
    if (closed) return { check: "service", keyId: closed.id };
    const narrow = chain.find((key) =>
      operation.dynamicSelectors && !target
        ? key.allowedOperations?.some((selector) => selector.startsWith(`${operation.id}.`)) === false
        : !reaches(key, target ? name : operation.id),
    );
    return narrow ? { check: "operation", keyId: narrow.id } : null;
  });
}

async function chainOf(accountId: string, ids: readonly string[]) {
  const rows = await platform()
    .database.db.select()
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), inArray(apiKeys.id, [...ids])));
  return rows.sort((a, b) => a.depth - b.depth);
}
