import { createHash, createHmac } from "node:crypto";
import { platform } from "#server/platform.ts";

/**
 * The token of an invitation, made of its id under the platform's sealing key: the job that mails it needs to hold no
 * secret, and whoever reads the database can't make it.
 */
export function invitationToken(invitationId: string): string {
  return createHmac("sha256", platform().settings.sealingKey)
    .update(`invitation/${invitationId}`)
    .digest("base64url");
}

/** What is stored of a token. */
export function tokenHash(token: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(token).digest());
}

/** The page where a person follows an invitation. */
export function invitationLink(invitationId: string): string {
  return `${platform().settings.baseUrl}/invitation/${invitationToken(invitationId)}`;
}
