import { sql as query } from "drizzle-orm";
import type postgres from "postgres";
import type { Transaction } from "#db/client.ts";
import { askOwnRow, newEcho } from "#db/echo.ts";
import { json } from "#db/json.ts";
import type { StoredRefusal } from "#db/schema/audit.ts";
import { batched } from "#server/base/batch.ts";
import { currentTime } from "#server/base/clock.ts";
import { newId, newUuidAt, toUuid, uuidOf } from "#server/base/ids.ts";
import { BATCHES } from "./admission.ts";
import type { Caller, KeyCaller, MemberCaller } from "./caller.ts";
import type { ErrorCode } from "./errors.ts";
import { isFrozen } from "./faults.ts";

/** One request, or one action of the platform itself, for the audit. */
export interface AuditRecord {
  accountId: string;
  id: string;
  at: Date;
  actorType: "key" | "member" | "system";
  actorId: string | null;
  actorLabel: string;
  operation: string;
  selector: string;
  counted: boolean;
  resource: string | null;
  outcome: "allowed" | "denied" | "error";
  status: number;
  errorCode: ErrorCode | null;
  requestId: string;
  projectId: string | null;
  endUserId: string | null;
  ip: string | null;
  userAgent: string | null;
  durationMs: number;
  chargedCredits: number;
  secretVersion: number | null;
  /** Set for a call that a key refused. */
  refusal?: StoredRefusal | null;
  /** For a replay, the request that stored the response. */
  replayOf?: string | null;
}

/** The key of the row of a response that is stored for replays; ids are UUIDs. */
export interface StoredPlace {
  account: string;
  caller: string;
  key: string;
}

export interface RequestEnd {
  /** Null if the effect's transaction has stored the event already. */
  event: AuditRecord | null;
  /** The key whose last use is updated. */
  used: { accountId: string; keyId: string; at: Date } | null;
  lease: string | null;
  /**
   * True if this record, and everything stored before it, must be flushed to disk before the promise
   * resolves.
   */
  durable: boolean;
  /** A response that was stored without waiting for the disk; the recorder checks that it still exists. */
  unflushed: StoredPlace | null;
}

interface Settled {
  gone: boolean;
  /** Set if the database refused the record, because the account is frozen. */
  refused?: unknown;
}

/** Returns the UUID of the caller's key, member or credit token; null for the platform itself. */
export function callerUuid(caller: KeyCaller | MemberCaller): string;
export function callerUuid(caller: Caller): string | null;
export function callerUuid(caller: Caller): string | null {
  if (caller.type === "key") return toUuid("apiKey", caller.id);
  return caller.type === "member" ? toUuid("member", caller.id) : uuidOf("creditToken", caller.id);
}

/**
 * Returns the audit's columns about the caller and the time; ids as UUIDs. The event's own id contains the
 * time.
 */
export function actorFields(caller: Caller, at: Date) {
  const actorId = callerUuid(caller);
  return {
    accountId: toUuid("account", caller.accountId),
    id: newUuidAt(at),
    at,
    actorType: caller.type,
    actorId,
    actorLabel: caller.label,
    projectId: caller.project ? uuidOf("project", caller.project.id) : null,
    endUserId: caller.endUser?.id ? uuidOf("endUser", caller.endUser.id) : null,
  };
}

/**
 * Records the ends of requests in group commits: audit events, keys' last use, leases. Calls `owe` with
 * leases that it could not release, and `gone` if a restart of the database lost a stored response before it
 * was flushed.
 */
export function createRecorder(sql: postgres.Sql, owe: (leases: string[]) => void) {
  async function settle(ends: RequestEnd[]): Promise<Settled[]> {
    const events = ends.flatMap((end) => end.event ?? []);
    const leases = ends.flatMap((end) => end.lease ?? []);
    const durable = ends.some((end) => end.durable);
    const unflushed = ends.filter((end) => end.unflushed);
    const used = new Map<string, { accountId: string; keyId: string; at: Date }>();
    for (const { used: use } of ends) {
      if (use && !((used.get(use.keyId)?.at ?? 0) > use.at)) used.set(use.keyId, use);
    }
    const echo = newEcho();
    try {
      const question = sql<{ gone: number[]; echo: string }[]>`
          select settle(${json(sql, events)}, ${json(sql, [...used.values()])}, ${leases}::uuid[], ${durable},
            ${json(
              sql,
              unflushed.map((end) => end.unflushed),
            )}) as gone, ${echo}::text as echo`;
      const { gone } = await askOwnRow(question, echo);
      const lost = new Set(gone.map((place) => unflushed[place]));
      return ends.map((end) => ({ gone: lost.has(end) }));
    } catch (error) {
      // Calls of a frozen account fail alone.
      if (isFrozen(error) && ends.length > 1)
        return (await Promise.all(ends.map((end) => settle([end])))).flat();
      owe(leases);
      if (isFrozen(error)) return [{ gone: false, refused: error }];
      throw error;
    }
  }

  const record = batched(settle, { name: "settle", ...BATCHES });
  return async (end: RequestEnd): Promise<{ gone: boolean }> => {
    const { gone, refused } = await record(end);
    if (refused) throw refused;
    return { gone };
  };
}

/** Inserts an audit event within the effect's own transaction. */
export async function recordEvent(tx: Transaction, event: AuditRecord): Promise<void> {
  await tx.execute(query`select record_events(${JSON.stringify([event])}::jsonb)`);
}

/** Inserts the audit event of a charge within the charge's own transaction, with its actor's present label. */
export async function recordSettlement(
  tx: Transaction,
  event: Omit<AuditRecord, "actorLabel">,
): Promise<void> {
  await tx.execute(query`select record_settlements(${JSON.stringify([event])}::jsonb)`);
}

/** The names of actions outside the operations. */
export const ACTS = [
  "accounts.create",
  "apps.reuse_detected",
  "apps.revoke",
  "connections.use",
  "credits.holds.release",
  "credits.x402.recover",
  "credits.x402.reverse",
  "invitations.accept",
  "operators.add",
  "operators.remove",
  "passwords.change",
  "passwords.reset",
  "secondFactor.disable",
  "secondFactor.enable",
  "secondFactor.remove",
  "sessions.create",
  "sessions.prove",
  "sessions.revoke",
  "sessions.switch",
] as const;

export type ActName = (typeof ACTS)[number];

/** An action outside the operations; ids as UUIDs. */
type Act = Pick<AuditRecord, "accountId" | "resource"> &
  Partial<Pick<AuditRecord, "requestId" | "projectId" | "ip" | "userAgent">> & {
    operation: ActName;
    /** Undefined if the platform acted by itself. */
    member?: { id: string | null; name: string };
  };

/** Inserts the audit event of an action outside the operations, in that action's transaction. */
export function recordOutside(tx: Transaction, { member, ...act }: Act): Promise<void> {
  const at = currentTime();
  return recordEvent(tx, {
    requestId: newId("request"),
    projectId: null,
    endUserId: null,
    ip: null,
    userAgent: null,
    ...act,
    id: newUuidAt(at),
    at,
    actorType: member ? "member" : "system",
    actorId: member?.id ?? null,
    actorLabel: member?.name ?? "Platform",
    selector: act.operation,
    counted: false,
    outcome: "allowed",
    status: 200,
    errorCode: null,
    durationMs: 0,
    chargedCredits: 0,
    secretVersion: null,
  });
}
