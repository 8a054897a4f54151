import { createHash } from "node:crypto";

/** Returns the entity tag of a text or bytes: the same for the same content on every node. */
export function etagOf(content: string | Uint8Array): string {
  return `"${createHash("sha256").update(content).digest("base64url").slice(0, 27)}"`;
}

/** True if `If-None-Match` contains the tag, weak tags included (RFC 9110, 13.1.2). */
export function isFresh(ifNoneMatch: string | null, etag: string): boolean {
  return (ifNoneMatch ?? "").split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()));
}
