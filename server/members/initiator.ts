import { createHmac } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { defined } from "#server/base/defined.ts";
import { idOf, toUuid, uuidOf } from "#server/base/ids.ts";
import type { Credential } from "#server/operation/call.ts";
import type { Caller, PrivacyTier, Role } from "#server/operation/caller.ts";
import type { ErrorCode } from "#server/operation/errors.ts";
import { callerUuid } from "#server/operation/recorder.ts";
import type { Scope } from "#server/operation/scopes.ts";
import { platform } from "#server/platform.ts";
import { memberCaller } from "./queries.ts";

/** The key or member that initiated something, as returned by the SQL function `initiator`. */
export interface InitiatorState {
  label: string;
  /** Set for a key. */
  hash?: string;
  scopes: Scope[];
  chain: string[];
  depth: number;
  allowedServices: string[] | null;
  projectBound: boolean;
  endUserBound: boolean;
  privacyTier: PrivacyTier;
  code: ErrorCode | null;
  /** Set for a member. */
  userId: string;
  role: Role;
  projectStatus: "active" | "archived" | null;
  endUser: string | null;
}

interface Began {
  /** Ids as UUIDs. */
  accountId: string;
  projectId: string | null;
  endUserId: string | null;
  callerId: string;
  state: InitiatorState;
}

/**
 * Returns the initiator as the caller of work that continues on their behalf, restricted to the resource's
 * assignment.
 */
export function toInitiator({ accountId, projectId, endUserId, callerId, state }: Began): Caller {
  const shared = {
    accountId: idOf("account", accountId),
    label: state.label,
    project: projectId
      ? {
          id: idOf("project", projectId),
          status: state.projectStatus ?? "active",
          bound: state.projectBound ?? false,
        }
      : null,
    endUser: endUserId
      ? {
          id: idOf("endUser", endUserId),
          externalId: state.endUser ?? "",
          bound: state.endUserBound ?? false,
        }
      : null,
  };
  if (state.hash === undefined)
    return memberCaller({
      ...shared,
      id: idOf("member", callerId),
      userId: idOf("user", state.userId),
      sessionId: null,
      role: state.role,
    });
  return {
    ...shared,
    type: "key",
    id: idOf("apiKey", callerId),
    scopes: state.scopes,
    chain: state.chain.map((uuid) => idOf("apiKey", uuid)),
    depth: state.depth,
    allowedServices: state.allowedServices,
    privacyTier: state.privacyTier,
  };
}

/**
 * Returns a credential for an initiator whose secret the platform does not have. Responses stored for replays are
 * sealed for `purpose`.
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

/** A request by an initiator that may have waited since. */
export interface Initiated {
  accountId: string;
  projectId: string | null;
  endUserId: string | null;
  callerType: "key" | "member" | null;
  /** The key's or member's UUID. */
  callerId: string | null;
}

/** Returns the columns that store the initiator with their request. */
export function initiatorOf(caller: Caller) {
  return {
    callerType: caller.type === "key" ? "key" : "member",
    callerId: defined(callerUuid(caller)),
    keyIds: caller.type === "key" ? [...caller.chain] : [],
  } as const;
}

/**
 * Returns the initiator, judged again before work continues on their behalf. `refusal` is set if the key or the
 * membership is gone, or no longer has the scope.
 */
export async function readInitiator(
  db: Db | Transaction,
  resource: Initiated,
  scope: Scope,
): Promise<{ caller: Caller; refusal: null } | { caller: null; refusal: ErrorCode }> {
  const accountId = toUuid("account", resource.accountId);
  const projectId = resource.projectId && uuidOf("project", resource.projectId);
  const endUserId = resource.endUserId && uuidOf("endUser", resource.endUserId);
  const [row] = await db.execute<{ state: InitiatorState | null }>(sql`
    select initiator(${accountId}, ${resource.callerType}, ${resource.callerId}, ${projectId}, ${endUserId}) as state`);
  if (!row?.state || !resource.callerId) return { caller: null, refusal: "unauthenticated" };
  if (row.state.code) return { caller: null, refusal: row.state.code };
  const caller = toInitiator({
    accountId,
    projectId,
    endUserId,
    callerId: resource.callerId,
    state: row.state,
  });
  return caller.scopes.includes(scope)
    ? { caller, refusal: null }
    : { caller: null, refusal: "scope_missing" };
}
