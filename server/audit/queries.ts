import { and, eq, getViewSelectedFields } from "drizzle-orm";
import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { auditEvents } from "#db/schema/audit.ts";
import { idOf } from "#server/ids.ts";
import { platform } from "#server/platform.ts";
import type { AuditEvent } from "./schema.ts";

/** An event as its columns say it. */
interface EventColumns extends Omit<AuditEvent, "at" | "actor" | "previousHash" | "hash"> {
  at: Date;
  actorType: AuditEvent["actor"]["type"];
  /** A UUID; `actorType` says of what. */
  actorId: string | null;
  actorLabel: string | null;
  previousHash: Uint8Array | null;
  hash: Uint8Array | null;
}

const ACTORS = { key: "apiKey", member: "member", system: "creditToken" } as const;

/** The wire's id of who acted. */
export function actorIdOf(type: AuditEvent["actor"]["type"], uuid: string | null): string | null {
  return uuid && idOf(ACTORS[type], uuid);
}

/** Whether what members only looked at in the console counts. */
export const consoleReads = z.enum(["include", "exclude"]).meta({ id: "ConsoleReads" }).default("include");

/** The ids of the operations that only read. */
export function readingOperations(): string[] {
  return platform()
    .operations.filter(({ idempotent }) => !idempotent)
    .map(({ id }) => id);
}

const { accountId, selector, counted, endUserId, refusal, replayOf, ...columns } =
  getViewSelectedFields(auditEvents);

/** Events as `toAuditEvent` takes them. */
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

/** The wire's form of an event. */
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
