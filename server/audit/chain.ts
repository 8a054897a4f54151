import { createHash, hash } from "node:crypto";
import canonicalize from "canonicalize";
import type { AuditEvent } from "./schema.ts";

/** The fields of an event that can be erased: they enter its hash as digests, salted with one of their own each. */
export const PERSONAL_FIELDS = ["actorLabel", "ip", "userAgent", "endUser"] as const;
export type PersonalField = (typeof PERSONAL_FIELDS)[number];
/** Something per personal field, null where the field was null when the event was chained. */
export type Personal<Value> = Record<PersonalField, Value | null>;

export const SALT_BYTES = 16;

export function personalOf(event: AuditEvent): Personal<string> {
  return {
    actorLabel: event.actor.label,
    ip: event.ip,
    userAgent: event.userAgent,
    endUser: event.endUser,
  };
}

/** What stands for a personal field in the hash: SHA-256 over its salt and its UTF-8 bytes, hex. */
export function digestOf(salt: Uint8Array, value: string): string {
  return createHash("sha256").update(salt).update(value).digest("hex");
}

/** An event's hash: SHA-256, hex, over the RFC 8785 form of the event without `hash`, digests for personal fields. */
export function hashOf(event: AuditEvent, digests: Personal<string>): string {
  const { hash: _, actor, ...rest } = event;
  const { actorLabel, ip, userAgent, endUser } = digests;
  const hashed = { ...rest, actor: { ...actor, label: actorLabel }, ip, userAgent, endUser };
  return hash("sha256", canonicalize(hashed) as string, "hex");
}

/** What the first event of an account has for `previousHash`: it ties the chain to its account. */
export function genesisOf(accountId: string): string {
  return hash("sha256", accountId, "hex");
}
