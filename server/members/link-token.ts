import { createHash, createHmac } from "node:crypto";
import { platform, type Settings } from "#server/platform.ts";

/** The purpose of a mailed link; also the path of the page that it opens. */
type Purpose = "invitation" | "reset-password";

type LinkSettings = Pick<Settings, "baseUrl" | "sealingKeys">;

function tokenUnder(key: Uint8Array, purpose: Purpose, id: string): string {
  return createHmac("sha256", key).update(`${purpose}/${id}`).digest("base64url");
}

/**
 * Returns the token of a link, derived from its row's id with the platform's sealing key: the job that mails it needs
 * no secret, and the database's content is not enough to create it.
 */
export function linkToken(
  purpose: Purpose,
  id: string,
  { sealingKeys: [key] }: LinkSettings = platform().settings,
): string {
  return tokenUnder(key, purpose, id);
}

/** Returns the hash under which a token is stored. */
export function tokenHash(token: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(token).digest());
}

const pageOf = ({ baseUrl }: LinkSettings, purpose: Purpose, token: string) =>
  `${baseUrl}/${purpose}/${token}`;

/** Returns the address of the page for a new link. */
export function linkTo(purpose: Purpose, id: string, settings: LinkSettings = platform().settings): string {
  return pageOf(settings, purpose, linkToken(purpose, id, settings));
}

/**
 * Returns the address of an existing link, also if it was made with an older sealing key; null if no current key
 * matches.
 */
export function linkMade(purpose: Purpose, id: string, hash: Uint8Array): string | null {
  const { settings } = platform();
  const token = settings.sealingKeys
    .map((key) => tokenUnder(key, purpose, id))
    .find((one) => Buffer.from(tokenHash(one)).equals(hash));
  return token === undefined ? null : pageOf(settings, purpose, token);
}
