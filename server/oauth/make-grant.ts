import { and, eq } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { type ChosenPolicy, oauthClients, oauthGrants, oauthRequests } from "#db/schema/oauth.ts";
import { currentTime } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { uuidOf } from "#server/base/ids.ts";
import { enqueueJob } from "#server/jobs/enqueue-job.ts";
import { makeKey } from "#server/keys/make-key.ts";
import { emitKeyEvent, type KeyRow } from "#server/keys/queries.ts";
import type { NewKey } from "#server/keys/schema.ts";
import { readInitiator } from "#server/members/initiator.ts";
import { ApiError } from "#server/operation/errors.ts";
import type { Scope } from "#server/operation/scopes.ts";
import { issueTokens, type Tokens } from "./grants.ts";
import { OAuthError } from "./oauth-error.ts";
import type { OAuthRequest } from "./requests.ts";
import { connectsApps } from "./requests.ts";

/** Creates the key that a person has allowed, and its first tokens; a refusal changes nothing. */
export async function makeGrant(tx: Transaction, request: OAuthRequest): Promise<Tokens | OAuthError> {
  const key = await makeGrantKey(tx, request);
  if (key instanceof OAuthError) return key;
  const { accountId, id: keyId } = key;
  await tx.update(oauthRequests).set({ keyId }).where(eq(oauthRequests.id, request.id));
  if (uuidOf("app", request.app.id))
    await tx.update(oauthClients).set({ granted: true }).where(eq(oauthClients.id, request.app.id));
  await enqueueJob(tx, { task: "mailAppConnected", payload: { accountId, keyId } });
  return issueTokens(tx, key, 0);
}

/** Creates the key on behalf of the member who allowed it, within the role that they have now. */
async function makeGrantKey(tx: Transaction, request: OAuthRequest): Promise<KeyRow | OAuthError> {
  const { app, resource, policy } = request;
  const accountId = defined(request.accountId);
  const memberId = defined(request.memberId);
  const member = { accountId, projectId: null, endUserId: null, callerId: uuidOf("member", memberId) };
  const { caller } = await readInitiator(tx, { ...member, callerType: "member" }, "services:read");
  if (!caller) return new OAuthError("invalid_grant", "The person is no member of the account any more.");
  if (!(await connectsApps(tx, caller)))
    return new OAuthError("invalid_grant", "The account does not let the person connect apps.");
  const chosen = policy as ChosenPolicy;
  try {
    const { apiKey } = await makeKey(tx, keyFor(chosen, `${app.name} (${caller.label})`), {
      caller,
      at: currentTime(),
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
    await emitKeyEvent(tx, defined(row), "app.connected", { caller, at: currentTime() });
    return defined(row);
  } catch (reason) {
    // These refusals come before any write: the role has fewer scopes now, or the project is gone.
    if (reason instanceof ApiError && reason.status < 500)
      return new OAuthError("invalid_grant", "The allowed access is more than the person may give now.");
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
