import { createHash, timingSafeEqual } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { oauthRequests } from "#db/schema/oauth.ts";
import { currentMs, currentTime } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { secretHash } from "#server/keys/secrets.ts";
import { needed, type Parameters } from "./form.ts";
import { endGrant, type Tokens } from "./grants.ts";
import { makeGrant } from "./make-grant.ts";
import { OAuthError } from "./oauth-error.ts";
import type { From } from "./oauth-route.ts";
import type { OAuthRequest } from "./requests.ts";
import { resourcePath } from "./resources.ts";

/** A call of the token endpoint by an authenticated app. */
export interface Exchange {
  clientId: string;
  parameters: Parameters;
  from: From;
}

const CODE_MS = 60_000;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** Creates the key that a person has allowed, and its first tokens. Uses up the code in the same transaction. */
export async function redeemCode(
  tx: Transaction,
  { clientId, parameters, from }: Exchange,
): Promise<Tokens | OAuthError> {
  const hash = secretHash(needed(parameters, "code"));
  const verifier = needed(parameters, "code_verifier");
  const redirectUri = needed(parameters, "redirect_uri");
  const [request] = await tx
    .select()
    .from(oauthRequests)
    .where(eq(oauthRequests.codeHash, hash))
    .for("update");
  if (!request?.decidedAt) return new OAuthError("invalid_grant", "The code is unknown.");
  if (request.redeemedAt) return refuseReuse(tx, request, from);
  const mine = eq(oauthRequests.id, request.id);
  await tx.update(oauthRequests).set({ redeemedAt: currentTime() }).where(mine);
  if (request.decidedAt.getTime() + CODE_MS < currentMs())
    return new OAuthError("invalid_grant", "The code has expired.");
  if (request.app.id !== clientId)
    return new OAuthError("invalid_grant", "The code was made for another app.");
  if (request.redirectUri !== redirectUri)
    return new OAuthError("invalid_grant", "The redirect_uri is not that of the request.");
  if (!isVerifier(verifier, defined(request.codeChallenge)))
    return new OAuthError("invalid_grant", "The code_verifier does not fit the code_challenge.");
  if (resourcePath(parameters.get("resource"), "/mcp") !== request.resource && parameters.has("resource"))
    return new OAuthError("invalid_target", "The resource is not that of the request.");
  return makeGrant(tx, request);
}

function isVerifier(verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier)) return false;
  const made = createHash("sha256").update(verifier).digest("base64url");
  return timingSafeEqual(Buffer.from(made), Buffer.from(challenge));
}

/** Ends the access of a code that is presented twice: one of the two presenters has stolen it. */
async function refuseReuse(
  tx: Transaction,
  { accountId, keyId }: OAuthRequest,
  from: From,
): Promise<OAuthError> {
  if (accountId && keyId) await endGrant(tx, { accountId, keyId }, "apps.reuse_detected", from);
  return new OAuthError("invalid_grant", "The code was used before.");
}
