import { createHash, hash } from "node:crypto";
import type { AuditEvent } from "./schema.ts";

/** The fields of an event that can be erased: its hash covers only their digests, each with a salt of its own. */
export const PERSONAL_FIELDS = ["actorLabel", "ip", "userAgent", "endUser"] as const;
export type PersonalField = (typeof PERSONAL_FIELDS)[number];
/** A value per personal field; null if the field was null when the event was chained. */
export type Personal<Value> = Record<PersonalField, Value | null>;

export const SALT_BYTES = 16;

/** Returns the digest of a personal field, which the hash covers: SHA-256 over its salt and its UTF-8 bytes, in hex. */
export function digestOf(salt: Uint8Array, value: string): string {
  return createHash("sha256").update(salt).update(value).digest("hex");
}

/**
 * Returns the SHA-256, in hex, of an event's RFC 8785 form: the event without `hash`, with digests for personal fields.
 */
export function hashOfForm(form: string): string {
  return hash("sha256", form, "hex");
}

/** Returns the `previousHash` of an account's first event, which ties the chain to its account. */
export function genesisOf(accountId: string): string {
  return hash("sha256", accountId, "hex");
}

/** Returns an event's RFC 8785 form. */
export function formOf(event: Omit<AuditEvent, "hash">): string {
  const { actor } = event;
  // RFC 8785 sorts names. They are in that order here, and all values are text, integers or null, so JSON.stringify
  // writes the same form, five times as fast. Verification sorts.
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
