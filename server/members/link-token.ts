import { createHash, createHmac } from "node:crypto";
import { platform, type Settings } from "#server/platform.ts";

/** What a mailed link is for: also the path of the page that it opens. */
type Purpose = "invitation" | "reset-password";

type LinkSettings = Pick<Settings, "baseUrl" | "sealingKey">;

/**
 * The token of a link, made of its row's id under the platform's sealing key: the job that mails it needs to hold no
 * secret, and whoever reads the database can't make it.
 */
export function linkToken(
  purpose: Purpose,
  id: string,
  { sealingKey }: LinkSettings = platform().settings,
): string {
  return createHmac("sha256", sealingKey).update(`${purpose}/${id}`).digest("base64url");
}

/** What is stored of a token. */
export function tokenHash(token: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(token).digest());
}

/** The page where a person follows a link. */
export function linkTo(purpose: Purpose, id: string, settings: LinkSettings = platform().settings): string {
  return `${settings.baseUrl}/${purpose}/${linkToken(purpose, id, settings)}`;
}
