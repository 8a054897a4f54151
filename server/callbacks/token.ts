import { createHash, createHmac, randomBytes } from "node:crypto";
import { platform } from "#server/platform.ts";

/** Returns the hash under which a token is stored. */
export const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/** Returns the nonce of a new token. */
export const newNonce = (): string => randomBytes(32).toString("hex");

function tokenWith(nonce: string, key: Uint8Array): string {
  return createHmac("sha256", key).update(`callback/v1\n${nonce}`).digest("base64url");
}

/** Returns the token of a nonce: 32 bytes that the database's content alone does not reveal. */
export function tokenOf(nonce: string): string {
  return tokenWith(nonce, platform().settings.sealingKeys[0]);
}

/** Returns the address of an existing callback, also if its token was made with an older key. */
export function addressOf({ nonce, tokenHash }: { nonce: string; tokenHash: string }): string {
  const { baseUrl, sealingKeys } = platform().settings;
  const token = sealingKeys.map((key) => tokenWith(nonce, key)).find((one) => hashOf(one) === tokenHash);
  return `${baseUrl}/resume/${token ?? tokenOf(nonce)}`;
}
