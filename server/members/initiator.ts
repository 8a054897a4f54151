import { createHmac } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { idOf, toUuid, uuidOf } from "#server/ids.ts";
import type { Credential } from "#server/operation/call.ts";
import type { Caller, PrivacyTier, Role } from "#server/operation/caller.ts";
import type { ErrorCode } from "#server/operation/errors.ts";
import { callerUuid } from "#server/operation/recorder.ts";
import type { Scope } from "#server/operation/scopes.ts";
import { platform } from "#server/platform.ts";
import { memberCaller } from "./queries.ts";

/** A key or a member that began something, as the database's `initiator` answers it. */
export interface InitiatorFacts {
  label: string;
  /** A key's. */
  hash?: string;
  scopes: Scope[];
  chain: string[];
  depth: number;
  allowedServices: string[] | null;
  projectBound: boolean;
  endUserBound: boolean;
  privacyTier: PrivacyTier;
  code: ErrorCode | null;
  /** A member's. */
  userId: string;
  role: Role;
  projectStatus: "active" | "archived" | null;
  endUser: string | null;
}

interface Began {
  /** UUIDs. */
  accountId: string;
  projectId: string | null;
  endUserId: string | null;
  callerId: string;
  facts: InitiatorFacts;
}

/** Who began something, as the caller of what goes on in their name, within what the thing is assigned to. */
export function toInitiator({ accountId, projectId, endUserId, callerId, facts }: Began): Caller {
  const shared = {
    accountId: idOf("account", accountId),
    label: facts.label,
    project: projectId
      ? {
          id: idOf("project", projectId),
          status: facts.projectStatus ?? "active",
          bound: facts.projectBound ?? false,
        }
      : null,
    endUser: endUserId
      ? {
          id: idOf("endUser", endUserId),
          externalId: facts.endUser ?? "",
          bound: facts.endUserBound ?? false,
        }
      : null,
  };
  if (facts.hash === undefined)
    return memberCaller({
      ...shared,
      id: idOf("member", callerId),
      userId: idOf("user", facts.userId),
      sessionId: null,
      role: facts.role,
    });
  return {
    ...shared,
    type: "key",
    id: idOf("apiKey", callerId),
    scopes: facts.scopes,
    chain: facts.chain.map((uuid) => idOf("apiKey", uuid)),
    depth: facts.depth,
    allowedServices: facts.allowedServices,
    privacyTier: facts.privacyTier,
  };
}

/**
 * Stands for who began something, whose secret the platform does not have, in calls that go on in their name. What is kept
 * of the answers for repeats is sealed for `purpose`.
 */
export function credentialOf(
  { accountId, callerId, hash }: { accountId: string; callerId: string; hash: string | null | undefined },
  purpose: string,
): Credential {
  const secret = platform().settings.sealingKeys.map((key) =>
    createHmac("sha256", key).update(purpose).digest("base64url"),
  );
  if (hash) return { type: "storedKey", hash, secret };
  return { type: "storedMember", memberId: callerId, accountId, secret };
}

/** What somebody asked for, which may have waited since. */
export interface Initiated {
  accountId: string;
  projectId: string | null;
  endUserId: string | null;
  callerType: "key" | "member" | null;
  /** A UUID. */
  callerId: string | null;
}

/** The initiator as it is stored with what they ask for. */
export function initiatorOf(caller: Caller) {
  return {
    callerType: caller.type === "key" ? "key" : "member",
    callerId: callerUuid(caller) as string,
    keyIds: caller.type === "key" ? [...caller.chain] : [],
  } as const;
}

/**
 * Who began a thing, judged anew before it goes on in their name. `refusal` says why it may not: the key or the membership
 * is gone, or does not have the scope any more.
 */
export async function readInitiator(
  db: Db | Transaction,
  thing: Initiated,
  scope: Scope,
): Promise<{ caller: Caller; refusal: null } | { caller: null; refusal: ErrorCode }> {
  const accountId = toUuid("account", thing.accountId);
  const projectId = thing.projectId && uuidOf("project", thing.projectId);
  const endUserId = thing.endUserId && uuidOf("endUser", thing.endUserId);
  const [row] = await db.execute<{ facts: InitiatorFacts | null }>(sql`
    select initiator(${accountId}, ${thing.callerType}, ${thing.callerId}, ${projectId}, ${endUserId}) as facts`);
  if (!row?.facts || !thing.callerId) return { caller: null, refusal: "unauthenticated" };
  if (row.facts.code) return { caller: null, refusal: row.facts.code };
  const caller = toInitiator({ accountId, projectId, endUserId, callerId: thing.callerId, facts: row.facts });
  return caller.scopes.includes(scope)
    ? { caller, refusal: null }
    : { caller: null, refusal: "scope_missing" };
}
