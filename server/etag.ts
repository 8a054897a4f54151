import { createHash } from "node:crypto";

/** The entity tag of a text or of bytes: the same for the same bytes, on every node. */
export function etagOf(content: string | Uint8Array): string {
  return `"${createHash("sha256").update(content).digest("base64url").slice(0, 27)}"`;
}

/** Whether `If-None-Match` names the tag; a weak one counts too (RFC 9110, 13.1.2). */
export function isFresh(ifNoneMatch: string | null, etag: string): boolean {
  return (ifNoneMatch ?? "").split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()));
}
