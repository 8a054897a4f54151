import { eq } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { oauthTokens } from "#db/schema/oauth.ts";
import { currentMs, currentTime } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { DAY_MS } from "#server/base/durations.ts";
import { uuidOf } from "#server/base/ids.ts";
import { expiryOf } from "#server/keys/lifetime.ts";
import { type KeyRow, revokeKeys } from "#server/keys/queries.ts";
import { newSecret, secretHash } from "#server/keys/secrets.ts";
import { recordOutside } from "#server/operation/recorder.ts";
import { platform } from "#server/platform.ts";
import type { From } from "./oauth-route.ts";

const ACCESS_SECONDS = 3600;
const REFRESH_DAYS = 30;

/** The response of the token endpoint. */
export interface Tokens {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  refresh_token: string;
  scope: string;
}

/** Creates an access and a refresh token of a generation. */
export async function issueTokens(tx: Transaction, key: KeyRow, generation: number): Promise<Tokens> {
  const now = currentMs();
  const { cell } = platform().settings;
  const access = newSecret("svc_oat_", cell);
  const refresh = newSecret("svc_ort_", cell);
  const common = { accountId: key.accountId, keyId: key.id, generation };
  await tx.insert(oauthTokens).values([
    {
      ...common,
      hash: secretHash(access),
      kind: "access",
      expiresAt: new Date(now + ACCESS_SECONDS * 1000),
    },
    {
      ...common,
      hash: secretHash(refresh),
      kind: "refresh",
      expiresAt: new Date(now + REFRESH_DAYS * DAY_MS),
    },
  ]);
  const left = Math.floor((expiryOf(key).getTime() - now) / 1000);
  return {
    access_token: access,
    token_type: "Bearer",
    expires_in: Math.min(ACCESS_SECONDS, left),
    refresh_token: refresh,
    scope: key.scopes.join(" "),
  };
}

/** Revokes the key of a grant with all its descendants; does nothing if it is revoked already. */
export async function endGrant(
  tx: Transaction,
  { accountId, keyId }: { accountId: string; keyId: string },
  operation: "apps.revoke" | "apps.reuse_detected",
  { requestId, ip, userAgent }: From,
): Promise<void> {
  const request = { caller: { id: "system" }, at: currentTime() };
  const reason = operation === "apps.revoke" ? "revoked" : "token_reused";
  const stopped = await revokeKeys(tx, accountId, eq(apiKeys.id, keyId), request, reason);
  if (stopped.length === 0) return;
  await recordOutside(tx, {
    operation,
    resource: keyId,
    accountId: defined(uuidOf("account", accountId)),
    requestId,
    ip,
    userAgent,
  });
}
