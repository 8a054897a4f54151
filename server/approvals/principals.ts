import { and, eq, inArray } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { defined } from "#server/base/defined.ts";
import { toUuid, uuidOf } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { callerUuid } from "#server/operation/recorder.ts";

/** A requester or decider, with the ids by which two are known to be the same principal. Ids are UUIDs. */
export interface Principal {
  actorType: Caller["type"];
  actorId: string | null;
  actorLabel: string;
  /** The key and its ancestors; empty for a member. */
  chain: string[];
  /** The member, or the members who created a key of the chain. */
  memberIds: string[];
}

/** Returns the caller as a principal of approvals. */
export async function principalOf(tx: Transaction, caller: Caller): Promise<Principal> {
  const actorId = caller.id === "system" ? null : callerUuid(caller);
  const facts = { actorType: caller.type, actorId, actorLabel: caller.label };
  if (caller.type === "member") return { ...facts, chain: [], memberIds: [defined(actorId)] };
  if (caller.type !== "key") return { ...facts, chain: [], memberIds: [] };
  const makers = await tx
    .selectDistinct({ memberId: apiKeys.memberId })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, caller.accountId), inArray(apiKeys.id, [...caller.chain])));
  return {
    ...facts,
    chain: caller.chain.map((id) => toUuid("apiKey", id)),
    memberIds: makers.flatMap(({ memberId }) => (memberId ? (uuidOf("member", memberId) ?? []) : [])),
  };
}

/**
 * True if both are one principal: a member with the keys that they created and all keys below, or a key with its
 * ancestors and descendants. Two children of a key that no member created are two principals.
 */
export function samePrincipal(one: Principal, other: Principal): boolean {
  return (
    (one.actorId !== null && other.chain.includes(one.actorId)) ||
    (other.actorId !== null && one.chain.includes(other.actorId)) ||
    one.memberIds.some((id) => other.memberIds.includes(id))
  );
}

/** True if the principal is in a list of ids of members and keys. */
export async function isListed(
  tx: Transaction,
  accountId: string,
  principal: Principal,
  listed: readonly string[],
): Promise<boolean> {
  const members = listed.flatMap((id) => uuidOf("member", id) ?? []);
  if (members.some((id) => principal.memberIds.includes(id))) return true;
  const keys = listed.filter((id) => uuidOf("apiKey", id));
  if (keys.length === 0) return false;
  const rows = await tx
    .select({ id: apiKeys.id, chain: apiKeys.chain })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), inArray(apiKeys.id, keys)));
  return rows.some(({ id, chain }) => {
    const listedChain = chain.map((key) => toUuid("apiKey", key));
    return (
      principal.chain.includes(toUuid("apiKey", id)) ||
      (principal.actorId !== null && listedChain.includes(principal.actorId))
    );
  });
}
