import { createHash, createHmac } from "node:crypto";
import { platform, type Settings } from "#server/platform.ts";

/** What a mailed link is for: also the path of the page that it opens. */
type Purpose = "invitation" | "reset-password";

type LinkSettings = Pick<Settings, "baseUrl" | "sealingKeys">;

function tokenUnder(key: Uint8Array, purpose: Purpose, id: string): string {
  return createHmac("sha256", key).update(`${purpose}/${id}`).digest("base64url");
}

/**
 * The token of a link, made of its row's id under the platform's sealing key: the job that mails it needs to hold no
 * secret, and a reader of the database can't make it.
 */
export function linkToken(
  purpose: Purpose,
  id: string,
  { sealingKeys: [key] }: LinkSettings = platform().settings,
): string {
  return tokenUnder(key, purpose, id);
}

/** What is stored of a token. */
export function tokenHash(token: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(token).digest());
}

const pageOf = ({ baseUrl }: LinkSettings, purpose: Purpose, token: string) =>
  `${baseUrl}/${purpose}/${token}`;

/** The page where a person follows a new link. */
export function linkTo(purpose: Purpose, id: string, settings: LinkSettings = platform().settings): string {
  return pageOf(settings, purpose, linkToken(purpose, id, settings));
}

/** The page of a link that was made before, maybe under an older sealing key; null under none of them. */
export function linkMade(purpose: Purpose, id: string, hash: Uint8Array): string | null {
  const { settings } = platform();
  const token = settings.sealingKeys
    .map((key) => tokenUnder(key, purpose, id))
    .find((one) => Buffer.from(tokenHash(one)).equals(hash));
  return token === undefined ? null : pageOf(settings, purpose, token);
}
