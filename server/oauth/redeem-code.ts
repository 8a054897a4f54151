import { createHash, timingSafeEqual } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { type ChosenPolicy, oauthClients, oauthGrants, oauthRequests } from "#db/schema/oauth.ts";
import { uuidOf } from "#server/ids.ts";
import { enqueueJob } from "#server/jobs/enqueue-job.ts";
import { makeKey } from "#server/keys/make-key.ts";
import { emitKeyEvent, type KeyRow } from "#server/keys/queries.ts";
import type { NewKey } from "#server/keys/schema.ts";
import { secretHash } from "#server/keys/secrets.ts";
import { readInitiator } from "#server/members/initiator.ts";
import { ApiError } from "#server/operation/errors.ts";
import type { Scope } from "#server/operation/scopes.ts";
import { needed, type Parameters } from "./form.ts";
import { endGrant, issueTokens, type Tokens } from "./grants.ts";
import { OAuthError } from "./oauth-error.ts";
import type { From } from "./oauth-route.ts";
import { connectsApps } from "./requests.ts";
import { resourcePath } from "./resources.ts";

type Request = typeof oauthRequests.$inferSelect;

/** A call of the token endpoint by an app that was authenticated. */
export interface Exchange {
  clientId: string;
  parameters: Parameters;
  from: From;
}

const CODE_MS = 60_000;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** Makes the key that a person has allowed, and its first tokens. One transaction uses the code up. */
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
  await tx.update(oauthRequests).set({ redeemedAt: new Date() }).where(mine);
  if (request.decidedAt.getTime() + CODE_MS < Date.now())
    return new OAuthError("invalid_grant", "The code has expired.");
  if (request.app.id !== clientId)
    return new OAuthError("invalid_grant", "The code was made for another app.");
  if (request.redirectUri !== redirectUri)
    return new OAuthError("invalid_grant", "The redirect_uri is not that of the request.");
  if (!isVerifier(verifier, request.codeChallenge))
    return new OAuthError("invalid_grant", "The code_verifier does not fit the code_challenge.");
  if (resourcePath(parameters.get("resource"), "/mcp") !== request.resource && parameters.has("resource"))
    return new OAuthError("invalid_target", "The resource is not that of the request.");
  const key = await makeGrant(tx, request);
  if (key instanceof OAuthError) return key;
  await tx.update(oauthRequests).set({ keyId: key.id }).where(mine);
  if (uuidOf("app", clientId))
    await tx.update(oauthClients).set({ granted: true }).where(eq(oauthClients.id, clientId));
  const { accountId, id: keyId } = key;
  await enqueueJob(tx, { task: "mailAppConnected", payload: { accountId, keyId } });
  return issueTokens(tx, key, 0);
}

function isVerifier(verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier)) return false;
  const made = createHash("sha256").update(verifier).digest("base64url");
  return timingSafeEqual(Buffer.from(made), Buffer.from(challenge));
}

/** A code that comes twice was stolen by one of the two: what it gave ends. */
async function refuseReuse(tx: Transaction, { accountId, keyId }: Request, from: From): Promise<OAuthError> {
  if (accountId && keyId) await endGrant(tx, { accountId, keyId }, "apps.reuse_detected", from);
  return new OAuthError("invalid_grant", "The code was used before.");
}

/** Makes the key as the member who has allowed it, within the role that they have now. */
async function makeGrant(tx: Transaction, request: Request): Promise<KeyRow | OAuthError> {
  const { app, resource, policy } = request;
  const accountId = request.accountId as string;
  const memberId = request.memberId as string;
  const member = { accountId, projectId: null, endUserId: null, callerId: uuidOf("member", memberId) };
  const { caller } = await readInitiator(tx, { ...member, callerType: "member" }, "services:read");
  if (!caller) return new OAuthError("invalid_grant", "The person is no member of the account any more.");
  if (!(await connectsApps(tx, caller)))
    return new OAuthError("invalid_grant", "The account does not let the person connect apps.");
  const chosen = policy as ChosenPolicy;
  try {
    const { apiKey } = await makeKey(tx, keyFor(chosen, `${app.name} (${caller.label})`), {
      caller,
      at: new Date(),
      above: { ancestors: [], project: null, endUser: null, usedAt: undefined },
      prefix: "svc_oat_",
      grant: (keyId) =>
        tx.insert(oauthGrants).values({
          accountId,
          keyId,
          memberId,
          clientId: app.id,
          clientName: app.name,
          host: app.host,
          resource,
          declined: request.scopes.filter((scope) => !chosen.scopes.includes(scope)),
        }),
    });
    const [row] = await tx
      .select()
      .from(apiKeys)
      .where(and(eq(apiKeys.accountId, accountId), eq(apiKeys.id, apiKey.id)));
    await emitKeyEvent(tx, row as KeyRow, "app.connected", { caller, at: new Date() });
    return row as KeyRow;
  } catch (reason) {
    // Refused before anything was written: the role has shrunk, the project is gone.
    if (reason instanceof ApiError && reason.status < 500)
      return new OAuthError("invalid_grant", "What was allowed is more than the person may give now.");
    throw reason;
  }
}

function keyFor(policy: ChosenPolicy, label: string): NewKey {
  const { creditsPerDay, requestsPerMinute } = policy;
  const limit = {
    ...(creditsPerDay !== null && { creditsPerDay }),
    ...(requestsPerMinute !== null && { requestsPerMinute }),
  };
  return {
    label: label.slice(0, 200),
    scopes: policy.scopes as Scope[],
    ...(policy.allowedServices && { allowedServices: policy.allowedServices }),
    ...(Object.keys(limit).length > 0 && { limits: { "*": limit } }),
    projectId: policy.projectId,
    expiresAt: policy.expiresAt,
  };
}
