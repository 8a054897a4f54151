import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { idOf, uuidOf } from "#server/base/ids.ts";
import type { Caller } from "./caller.ts";
import { ApiError } from "./errors.ts";

/** A resource that runs execute, with the key or member who stored it last. */
export interface Owned {
  kind: "trigger" | "workflow";
  accountId: string;
  name: string;
  callerType: Caller["type"];
  /** The key's or member's UUID. */
  callerId: string | null;
}

/** True if the caller may change what this owner has stored; `ownerChain` is null for a member. */
export function reaches(caller: Pick<Caller, "type" | "id">, ownerChain: readonly string[] | null): boolean {
  return caller.type !== "key" || (ownerChain?.includes(caller.id) ?? false);
}

/**
 * True if the caller may change the resource: a key those of itself, of its descendants and of keys that it succeeds, a
 * member every one.
 */
export async function isInReach(tx: Transaction, caller: Caller, owned: Owned): Promise<boolean> {
  const ownerId = ownerKeyId(owned);
  if (caller.type !== "key" || ownerId === null) return reaches(caller, null);
  const [owner] = await tx
    .select({ chain: apiKeys.chain })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, owned.accountId), eq(apiKeys.id, ownerId)));
  return reaches(caller, owner?.chain ?? null) || (await succeeds(tx, caller, owned));
}

/**
 * True for a root key with at least the access of an owner that has ended, itself or with a key above it: after a rotation
 * no other key is left that may change what the owner has stored.
 */
async function succeeds(tx: Transaction, caller: Caller, { accountId, callerId }: Owned): Promise<boolean> {
  const [row] = await tx.execute<{ succeeds: boolean }>(sql`
    select exists (
      select from api_keys o join api_keys c on c.account_id = o.account_id
      where o.account_id = ${uuidOf("account", accountId)} and o.id = ${callerId} and c.id = ${uuidOf("apiKey", caller.id)}
        and cardinality(c.chain) = 1 and c.scopes @> o.scopes
        and (c.allowed_services is null or c.allowed_services @> o.allowed_services)
        and (c.allowed_operations is null or c.allowed_operations @> o.allowed_operations)
        and (c.project_id is null or c.project_id = o.project_id)
        and (c.end_user_id is null or c.end_user_id = o.end_user_id)
        and exists (
          select from api_keys a where a.account_id = o.account_id and a.id = any(o.chain)
            and (a.revoked_at is not null or key_expiry(a.expires_at, a.last_used_at) <= now()))) as succeeds`);
  return row?.succeeds ?? false;
}

/** Returns the id of the key that has stored the resource; null for a member. */
export function ownerKeyId({ callerType, callerId }: Pick<Owned, "callerType" | "callerId">): string | null {
  return callerType === "key" && callerId !== null ? idOf("apiKey", callerId) : null;
}

/** Returns the error for changing a resource of another branch of keys or of a member. */
export function outOfReach(owned: Owned): ApiError {
  return new ApiError(
    "not_found",
    `The ${owned.kind} ${JSON.stringify(owned.name)} is not this key's to change: ${putBy(owned)}`,
  );
}

/** Returns the error for a name that another branch of keys, or a member, already uses. */
export function nameTaken(owned: Owned): ApiError {
  return new ApiError(
    "already_exists",
    `A ${owned.kind} has the name ${JSON.stringify(owned.name)} that is not this key's to replace: ${putBy(owned)} Or send another name.`,
  );
}

function putBy(owned: Owned): string {
  const keyId = ownerKeyId(owned);
  if (keyId === null) return "a member has put it. Change it in the console.";
  return `key ${keyId} has put it. Use that key or one above it, or change it in the console.`;
}
