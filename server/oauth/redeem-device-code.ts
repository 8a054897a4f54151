import { eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { oauthRequests } from "#db/schema/oauth.ts";
import { currentMs, currentTime } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { secretHash } from "#server/keys/secrets.ts";
import { needed } from "./form.ts";
import type { Tokens } from "./grants.ts";
import { makeGrant } from "./make-grant.ts";
import { OAuthError } from "./oauth-error.ts";
import type { Exchange } from "./redeem-code.ts";
import type { OAuthRequest } from "./requests.ts";
import { resourcePath } from "./resources.ts";

/** Polls may be this much too early, since clocks and networks are inexact. */
const EARLY_MS = 500;
const SLOWER_SECONDS = 5;
/** How long tokens can be fetched after a decision, even if the code expires meanwhile. */
const DECIDED_MS = 60_000;

/** Handles a poll (RFC 8628, 3.5): creates the key and its first tokens once a person has allowed the access. */
export async function redeemDeviceCode(
  tx: Transaction,
  { clientId, parameters }: Exchange,
): Promise<Tokens | OAuthError> {
  const hash = secretHash(needed(parameters, "device_code"));
  const [request] = await tx
    .select()
    .from(oauthRequests)
    .where(eq(oauthRequests.deviceHash, hash))
    .for("update");
  if (!request || request.app.id !== clientId)
    return new OAuthError("invalid_grant", "The device_code is unknown.");
  const resource = parameters.get("resource");
  if (resource !== undefined && resourcePath(resource, "/v1") !== request.resource)
    return new OAuthError("invalid_target", "The resource is not that of the request.");
  if (request.redeemedAt) return new OAuthError("invalid_grant", "The device_code was used before.");
  if (request.decision === "refused") return new OAuthError("access_denied", "The person has refused.");
  if (isOver(request)) return new OAuthError("expired_token", "The codes have expired. Ask for new ones.");
  if (!request.decidedAt) return waitLonger(tx, request);
  await tx.update(oauthRequests).set({ redeemedAt: currentTime() }).where(eq(oauthRequests.id, request.id));
  return makeGrant(tx, request);
}

function isOver({ expiresAt, decidedAt }: OAuthRequest): boolean {
  const until = Math.max(expiresAt.getTime(), decidedAt ? decidedAt.getTime() + DECIDED_MS : 0);
  return until <= currentMs();
}

async function waitLonger(tx: Transaction, { id, polledAt, pollSeconds }: OAuthRequest): Promise<OAuthError> {
  const seconds = defined(pollSeconds);
  const early = polledAt !== null && currentMs() - polledAt.getTime() < seconds * 1000 - EARLY_MS;
  const next = early ? seconds + SLOWER_SECONDS : seconds;
  await tx
    .update(oauthRequests)
    .set({ polledAt: sql`clock_timestamp()`, pollSeconds: next })
    .where(eq(oauthRequests.id, id));
  return early
    ? new OAuthError("slow_down", `Wait ${next} seconds between polls.`)
    : new OAuthError("authorization_pending", "The person has not decided yet.");
}
