import { hash } from "node:crypto";
import { eq } from "drizzle-orm";
import { apiKeys } from "#db/schema/keys.ts";
import { oauthTokens } from "#db/schema/oauth.ts";
import { defined } from "#server/base/defined.ts";
import { idOf, NIL_UUID, uuidOf } from "#server/base/ids.ts";
import { admitCreditToken } from "#server/keys/credit-tokens.ts";
import { hasSecretForm, secretHash } from "#server/keys/secrets.ts";
import { admitMember } from "#server/members/admit-member.ts";
import { platform } from "#server/platform.ts";
import { questionOf, selectorsOf, targetOf } from "./access.ts";
import { type Admission, type AdmissionRequest, noSuchProject } from "./admission.ts";
import type { AdmittedCall, Call } from "./call.ts";
import type { Target } from "./declaration.ts";
import { ApiError } from "./errors.ts";
import { noteCaller } from "./last-callers.ts";
import { withScopeChallenge } from "./scope-challenge.ts";
import { ensureEndUser } from "./tenancy.ts";

/**
 * Bodies up to this size are read without first checking that the key exists, since the check costs more than
 * the read.
 */
const READ_UNASKED_BYTES = 64 * 1024;

/**
 * Authenticates the caller and authorises the call: scope, service, operation and limits. A bearer key costs
 * one round trip to the database. Throws if authentication fails; any other refusal is part of the returned
 * admission.
 */
export async function admit(call: Call): Promise<AdmittedCall> {
  const { operation } = call;
  // If the body names the service, the body is read first, leniently: an access refusal takes precedence over
  // every fault in it.
  const named = typeof operation.service === "function" && operation.body !== undefined;
  const body = named && (await mayReadEarly(call)) ? await call.readBody().catch(() => undefined) : undefined;
  const target = targetOf(operation, call.params, body);
  const admission = await decide(call, target);
  const { lease } = admission;
  if (lease) platform().leases.hold(lease);
  const { endUser, accountId } = admission.caller;
  noteCaller(accountId, performance.now());
  let refusal: ApiError | null;
  try {
    // A new end user is stored at once, so that the call's audit event can name them.
    if (endUser?.id === null)
      endUser.id = await ensureEndUser(platform().database.db, accountId, endUser.externalId);
    // A refusal by access or limits takes precedence over a faulty header.
    refusal = (await withScopeChallenge(call, admission.refusal)) ?? call.headerFault;
  } catch (reason) {
    // The call ends here, so that nothing else gives its place back.
    if (lease) platform().leases.giveBack(lease.id);
    throw reason;
  }
  return {
    ...admission,
    refusal: refusal?.code === "not_found" ? noSuchProject(defined(call.project)) : refusal,
    selector: selectorsOf(operation, target)[0],
  };
}

/**
 * Judges a call in progress again, for this target and without counting it against limits. Throws the refusal
 * if the call would no longer be admitted.
 */
export async function judgeAgain(call: Call, target: Target): Promise<void> {
  const { refusal } = await decide(call, target, true);
  if (refusal) throw refusal;
}

/** True if the call's body may be read before admission: a large one only for a key that exists. */
async function mayReadEarly({ credential, contentLength }: Call): Promise<boolean> {
  if (credential.type === "none") return false;
  if (credential.type !== "key") return true;
  const { secret } = credential;
  const isToken = hasSecretForm("svc_oat_", secret);
  if (!isToken && !hasSecretForm("svc_live_", secret)) return false;
  // A transport that has read the input already has authenticated the caller.
  if (contentLength === undefined) return true;
  if (contentLength !== null && contentLength <= READ_UNASKED_BYTES) return true;
  const [table, id] = isToken
    ? ([oauthTokens, oauthTokens.keyId] as const)
    : ([apiKeys, apiKeys.id] as const);
  const found = await platform()
    .database.db.select({ id })
    .from(table)
    .where(eq(table.hash, secretHash(secret)));
  return found.length > 0;
}

/** Authenticates and authorises by the kind of credential. */
function decide(call: Call, target: Target, uncounted = false): Promise<Admission> {
  const { operation, credential } = call;
  switch (credential.type) {
    case "none":
      throw unauthenticated("No API key was sent. Send the header Authorization: Bearer <API key>.");
    case "creditToken":
      return admitCreditToken(credential.secret, {
        project: call.project === null ? null : idOf("project", selectedProject(call) ?? NIL_UUID),
        endUser: call.endUser,
      });
    case "member":
    case "storedMember":
      return admitMember(credential, operation, selectedProject(call), call.endUser);
    case "key":
      if (hasSecretForm("svc_oat_", credential.secret))
        return admitKey(call, target, {
          hash: hash("sha256", credential.secret),
          audiences: ["", credential.path],
          uncounted,
        });
      if (!hasSecretForm("svc_live_", credential.secret))
        throw unauthenticated("The API key is not one of this platform's: its form or checksum is wrong.");
      return admitKey(call, target, { hash: hash("sha256", credential.secret), uncounted });
    case "storedKey":
      return admitKey(call, target, { hash: credential.hash, uncounted, continues: true });
  }
}

async function admitKey(
  call: Call,
  target: Target,
  key: Pick<AdmissionRequest, "hash" | "audiences" | "uncounted" | "continues">,
): Promise<Admission> {
  const { operation, endUser } = call;
  const running = platform();
  const admission = await running.admit({
    ...questionOf(operation, target, running.registrations),
    hash: key.hash,
    ...(key.audiences && { audiences: key.audiences }),
    ...(key.uncounted && { uncounted: true }),
    ...(key.continues && { continues: true }),
    project: selectedProject(call),
    endUser,
    metered: operation.metered ?? false,
  });
  if (!admission)
    throw unauthenticated(
      key.audiences
        ? "The access token is unknown, has expired, or is for another address. Refresh it."
        : "The API key is unknown.",
    );
  if (admission instanceof ApiError) throw admission;
  return admission;
}

/**
 * Returns the UUID that `X-Service-Project` names. A malformed id is treated like one that does not exist.
 */
function selectedProject({ project }: Call): string | null {
  return project === null ? null : (uuidOf("project", project) ?? NIL_UUID);
}

function unauthenticated(message: string): ApiError {
  return new ApiError("unauthenticated", message);
}
