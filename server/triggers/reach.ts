import { and, eq } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { apiKeys } from "#db/schema/keys.ts";
import type { triggers } from "#db/schema/triggers.ts";
import { idOf } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";

type Owned = Pick<typeof triggers.$inferSelect, "accountId" | "name" | "callerType" | "callerId">;

/** True if the caller may change this owner's triggers; `ownerChain` is null for a member. */
export function reaches(caller: Pick<Caller, "type" | "id">, ownerChain: readonly string[] | null): boolean {
  return caller.type !== "key" || (ownerChain?.includes(caller.id) ?? false);
}

/** True if the caller may change a trigger: a key those of itself and its descendants, a member every one. */
export async function isInReach(tx: Transaction, caller: Caller, trigger: Owned): Promise<boolean> {
  if (caller.type !== "key" || trigger.callerType !== "key") return reaches(caller, null);
  const [owner] = await tx
    .select({ chain: apiKeys.chain })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, trigger.accountId), eq(apiKeys.id, idOf("apiKey", trigger.callerId))));
  return reaches(caller, owner?.chain ?? null);
}

/** Returns the error for changing a trigger of another branch of keys or of a member. */
export function outOfReach({ name, ...owner }: Owned): ApiError {
  return new ApiError(
    "not_found",
    `The trigger ${JSON.stringify(name)} is not this key's to change: ${putBy(owner)}`,
  );
}

/** Returns the error for a name that another branch of keys, or a member, already uses. */
export function nameTaken({ name, ...owner }: Owned): ApiError {
  return new ApiError(
    "already_exists",
    `A trigger has the name ${JSON.stringify(name)} that is not this key's to replace: ${putBy(owner)} Or send another name.`,
  );
}

function putBy({ callerType, callerId }: Pick<Owned, "callerType" | "callerId">): string {
  if (callerType === "member") return "a member has put it. Change it in the console.";
  return `key ${idOf("apiKey", callerId)} has put it. Use that key or one above it, or change it in the console.`;
}
