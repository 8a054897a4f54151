import { createHash, createHmac, randomBytes } from "node:crypto";
import { platform } from "#server/platform.ts";

/** What a token is known by. */
export const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/** A new token's nonce. */
export const newNonce = (): string => randomBytes(32).toString("hex");

function tokenWith(nonce: string, key: Uint8Array): string {
  return createHmac("sha256", key).update(`callback/v1\n${nonce}`).digest("base64url");
}

/** The token of a nonce: 32 bytes that nobody knows who has the database alone. */
export function tokenOf(nonce: string): string {
  return tokenWith(nonce, platform().settings.sealingKeys[0]);
}

/** The address of a callback that there is, also where its token was made with an older key that is still known. */
export function addressOf({ nonce, tokenHash }: { nonce: string; tokenHash: string }): string {
  const { baseUrl, sealingKeys } = platform().settings;
  const token = sealingKeys.map((key) => tokenWith(nonce, key)).find((one) => hashOf(one) === tokenHash);
  return `${baseUrl}/resume/${token ?? tokenOf(nonce)}`;
}
