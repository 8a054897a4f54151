import { and, eq, getViewSelectedFields } from "drizzle-orm";
import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { auditEvents } from "#db/schema/audit.ts";
import { idOf } from "#server/ids.ts";
import { platform } from "#server/platform.ts";
import type { AuditEvent } from "./schema.ts";

/** An event in the form of its columns. */
interface EventColumns extends Omit<AuditEvent, "at" | "actor" | "previousHash" | "hash"> {
  at: Date;
  actorType: AuditEvent["actor"]["type"];
  /** The actor's UUID. */
  actorId: string | null;
  actorLabel: string | null;
  previousHash: Uint8Array | null;
  hash: Uint8Array | null;
}

const ACTORS = { key: "apiKey", member: "member", system: "creditToken" } as const;

/** Returns the public id of the actor. */
export function actorIdOf(type: AuditEvent["actor"]["type"], uuid: string | null): string | null {
  return uuid && idOf(ACTORS[type], uuid);
}

/** Says whether members' reads in the console are included. */
export const consoleReads = z.enum(["include", "exclude"]).default("include");

/** The ids of the operations that only read. */
export function readingOperations(): string[] {
  return platform()
    .operations.filter(({ idempotent }) => !idempotent)
    .map(({ id }) => id);
}

const { accountId, selector, counted, endUserId, refusal, ...columns } = getViewSelectedFields(auditEvents);

/** Selects events for `toAuditEvent`. */
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

/** Returns an event in its public form. */
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
