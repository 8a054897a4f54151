import { createHash, hash } from "node:crypto";
import type { AuditEvent } from "./schema.ts";

/** The fields of an event that can be erased: they enter its hash as digests, salted with one of their own each. */
export const PERSONAL_FIELDS = ["actorLabel", "ip", "userAgent", "endUser"] as const;
export type PersonalField = (typeof PERSONAL_FIELDS)[number];
/** Something per personal field, null where the field was null when the event was chained. */
export type Personal<Value> = Record<PersonalField, Value | null>;

export const SALT_BYTES = 16;

/** What stands for a personal field in the hash: SHA-256 over its salt and its UTF-8 bytes, hex. */
export function digestOf(salt: Uint8Array, value: string): string {
  return createHash("sha256").update(salt).update(value).digest("hex");
}

/** SHA-256, hex, over the UTF-8 of an event's RFC 8785 form: the event without `hash`, digests for personal fields. */
export function hashOfForm(form: string): string {
  return hash("sha256", form, "hex");
}

/** What the first event of an account has for `previousHash`: it ties the chain to its account. */
export function genesisOf(accountId: string): string {
  return hash("sha256", accountId, "hex");
}

/** An event's RFC 8785 form, of a value for each field. */
export function formOf(event: Omit<AuditEvent, "hash">): string {
  const { actor } = event;
  // The names stand in their order here, and nothing but text, whole numbers and nulls stands in an event: what is
  // written so is its RFC 8785 form, five times as fast as sorting it. Verification sorts.
  return JSON.stringify({
    actor: { id: actor.id, label: actor.label, type: actor.type },
    at: event.at,
    chargedCredits: event.chargedCredits,
    durationMs: event.durationMs,
    endUser: event.endUser,
    errorCode: event.errorCode,
    id: event.id,
    ip: event.ip,
    operation: event.operation,
    outcome: event.outcome,
    previousHash: event.previousHash,
    projectId: event.projectId,
    requestId: event.requestId,
    resource: event.resource,
    secretVersion: event.secretVersion,
    sequence: event.sequence,
    status: event.status,
    userAgent: event.userAgent,
  });
}
