import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { members, users } from "#db/schema/accounts.ts";
import type { Caller, MemberCaller, Role } from "#server/operation/caller.ts";
import { ApiError, notFound } from "#server/operation/errors.ts";
import { ROLE_SCOPES } from "#server/operation/roles.ts";
import type { Member } from "./schema.ts";

type MemberFields = Omit<MemberCaller, "type" | "scopes" | "privacyTier">;

/** Returns a member of an account as a caller, with the scopes of the role. */
export function memberCaller(fields: MemberFields & { role: Role }): MemberCaller {
  return { type: "member", ...fields, scopes: ROLE_SCOPES[fields.role], privacyTier: "standard" };
}

/** Selects members with their users; the caller adds the account condition. */
export function selectMembers(db: Db | Transaction) {
  return db
    .select({
      id: members.id,
      name: users.name,
      email: users.email,
      role: members.role,
      totpSecret: users.totpSecret,
      createdAt: members.createdAt,
    })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .$dynamic();
}

type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number];

/** Returns the public form of a member. */
export function toMember({ totpSecret, createdAt, ...row }: MemberRow): z.input<typeof Member> {
  return { ...row, secondFactor: totpSecret !== null, createdAt: createdAt.toISOString() };
}

/** Returns a member of the account. */
export async function findMember(db: Db | Transaction, accountId: string, id: string) {
  const [row] = await selectMembers(db).where(and(eq(members.accountId, accountId), eq(members.id, id)));
  if (!row) throw notFound("member", id);
  return toMember(row);
}

/** A membership that is about to change, and the account's owners. */
export interface Membership {
  owners: readonly string[];
  target: { id: string; userId: string; role: Role };
}

/**
 * Locks the account's owners, so that changes of memberships run one after the other, then the member. If two owners
 * remove each other concurrently, the second is refused as no longer an owner.
 */
export async function lockMembership(tx: Transaction, caller: Caller, id: string): Promise<Membership> {
  const mine = eq(members.accountId, caller.accountId);
  const owners = await tx
    .select({ id: members.id })
    .from(members)
    .where(and(mine, eq(members.role, "owner")))
    .orderBy(members.id)
    .for("update");
  const locked = await tx
    .select({ id: members.id, userId: members.userId, role: members.role })
    .from(members)
    .where(and(mine, eq(members.id, id)))
    .for("update");
  const [target] = locked;
  if (!target) throw notFound("member", id);
  const ownerIds = owners.map((owner) => owner.id);
  const ousted = caller.type === "member" && caller.role === "owner" && !ownerIds.includes(caller.id);
  if (ousted) throw noOwner();
  return { owners: ownerIds, target };
}

/** Returns the refusal of an owner who has lost that role since their call was admitted. */
export function noOwner(): ApiError {
  return new ApiError("scope_missing", "You are no owner of the account any more.");
}

/** Refuses to remove or demote the last owner: an account always has one. */
export function refuseLastOwner(owners: readonly string[], target: { id: string }): void {
  if (owners.length > 1 || owners[0] !== target.id) return;
  throw new ApiError(
    "state_conflict",
    `${target.id} is the account's last owner. Make another member an owner first.`,
  );
}

/**
 * Returns a member's role and locks the membership until the transaction ends: a concurrent change of
 * role or a removal waits, and then sees this transaction's rows.
 */
export async function holdMembership(tx: Transaction, caller: MemberCaller): Promise<Role> {
  const [member] = await tx
    .select({ role: members.role })
    .from(members)
    .where(and(eq(members.accountId, caller.accountId), eq(members.id, caller.id)))
    .for("share");
  if (!member) throw new ApiError("unauthenticated", "You are not a member of the account any more.");
  return member.role;
}
