import { and, eq, getViewSelectedFields } from "drizzle-orm";
import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { auditEvents } from "#db/schema/audit.ts";
import { idOf } from "#server/base/ids.ts";
import { keysOf } from "#server/base/keys-of.ts";
import { SETTLEMENTS } from "#server/credits/settlement-event.ts";
import { ACTS } from "#server/operation/recorder.ts";
import { platform } from "#server/platform.ts";
import type { AuditEvent } from "./schema.ts";

/** An event in the form of its columns. */
interface EventColumns extends Omit<AuditEvent, "at" | "actor" | "previousHash" | "hash"> {
  at: Date;
  actorType: AuditEvent["actor"]["type"];
  /** A UUID, of the kind that `actorType` names. */
  actorId: string | null;
  actorLabel: string | null;
  previousHash: Uint8Array | null;
  hash: Uint8Array | null;
}

const ACTORS = { key: "apiKey", member: "member", system: "creditToken" } as const;

/** Returns the actor's public id. */
export function actorIdOf(type: AuditEvent["actor"]["type"], uuid: string | null): string | null {
  return uuid && idOf(ACTORS[type], uuid);
}

/** The query field that includes or excludes members' reads in the console. */
export const consoleReads = z.enum(["include", "exclude"]).meta({ id: "ConsoleReads" }).default("include");

/** Returns the ids of the operations that only read. */
export function readingOperations(): string[] {
  return platform()
    .operations.filter(({ idempotent }) => !idempotent)
    .map(({ id }) => id);
}

/** Returns every operation under which the audit records events. */
export function recordedOperations(): string[] {
  return [...new Set([...platform().operations.map(({ id }) => id), ...ACTS, ...keysOf(SETTLEMENTS)])];
}

const { accountId, selector, counted, endUserId, refusal, replayOf, ...columns } =
  getViewSelectedFields(auditEvents);

/** Selects events in the form that `toAuditEvent` takes. */
export function selectEvents(db: Db | Transaction) {
  return db
    .select({ ...columns, endUser: endUsers.externalId })
    .from(auditEvents)
    .leftJoin(
      endUsers,
      and(eq(endUsers.accountId, auditEvents.accountId), eq(endUsers.id, auditEvents.endUserId)),
    );
}

const hex = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString("hex");

/** Returns the public form of an event. */
export function toAuditEvent(row: EventColumns): AuditEvent {
  const { at, actorType, actorId, actorLabel, previousHash, hash, ...rest } = row;
  return {
    ...rest,
    at: at.toISOString(),
    actor: { type: actorType, id: actorIdOf(actorType, actorId), label: actorLabel },
    previousHash: hex(previousHash),
    hash: hex(hash),
  };
}
