import { hash } from "node:crypto";
import { eq } from "drizzle-orm";
import { apiKeys } from "#db/schema/keys.ts";
import { idOf, NIL_UUID, uuidOf } from "#server/ids.ts";
import { admitCreditToken } from "#server/keys/credit-tokens.ts";
import { hasSecretForm, secretHash } from "#server/keys/secrets.ts";
import { admitMember } from "#server/members/admit-member.ts";
import { platform } from "#server/platform.ts";
import { questionOf } from "./access.ts";
import { type Admission, noSuchProject } from "./admission.ts";
import { ApiError } from "./errors.ts";
import type { Call } from "./execute.ts";
import type { Subject } from "./operation.ts";
import { ensureEndUser } from "./tenancy.ts";

/** A body of so many bytes is read more quickly than asked after. */
const READ_UNASKED_BYTES = 64 * 1024;

/** Whether the call's body may be read before the call is admitted: a large one only for a key that exists. */
export async function mayReadEarly({ credential, contentLength }: Call): Promise<boolean> {
  if (credential.type === "none") return false;
  if (credential.type !== "key") return true;
  if (!hasSecretForm("svc_live_", credential.secret)) return false;
  // Where the transport has read the input already, it has asked who calls.
  if (contentLength === undefined) return true;
  if (contentLength !== null && contentLength <= READ_UNASKED_BYTES) return true;
  const found = await platform()
    .database.db.select({ id: apiKeys.id })
    .from(apiKeys)
    .where(eq(apiKeys.hash, secretHash(credential.secret)));
  return found.length > 0;
}

function unauthenticated(message: string): ApiError {
  return new ApiError("unauthenticated", message);
}

/** Finds who calls, and decides whether they may: one round trip to the database for a bearer key. */
export async function admitCall(call: Call, subject: Subject): Promise<Admission> {
  const admission = await judge(call, subject);
  const { endUser, accountId } = admission.caller;
  // An end user seen for the first time is stored at once, so that the call's event can name them.
  if (endUser?.id === null)
    endUser.id = await ensureEndUser(platform().database.db, accountId, endUser.externalId);
  // Access and limits win over what is wrong with a header.
  const refusal = admission.refusal ?? call.headerFault;
  return {
    ...admission,
    refusal: refusal?.code === "not_found" ? noSuchProject(call.project as string) : refusal,
  };
}

/** The UUID that `X-Service-Project` names; a malformed id is like one that is missing. */
function projectOf({ project }: Call): string | null {
  return project === null ? null : (uuidOf("project", project) ?? NIL_UUID);
}

async function judge(call: Call, subject: Subject): Promise<Admission> {
  const { operation, credential } = call;
  switch (credential.type) {
    case "none":
      throw unauthenticated("No API key was sent. Send the header Authorization: Bearer <API key>.");
    case "creditToken":
      return admitCreditToken(credential.secret, {
        project: call.project === null ? null : idOf("project", projectOf(call) as string),
        endUser: call.endUser,
      });
    case "member":
    case "storedMember":
      return admitMember(credential, operation, projectOf(call), call.endUser);
    case "key":
      if (!hasSecretForm("svc_live_", credential.secret))
        throw unauthenticated("The API key is not one of this platform's: its form or checksum is wrong.");
      return judgeKey(call, subject, hash("sha256", credential.secret));
    case "storedKey":
      return judgeKey(call, subject, credential.hash);
  }
}

async function judgeKey(call: Call, subject: Subject, hash: string): Promise<Admission> {
  const { operation, endUser } = call;
  const { registrations, admit } = platform();
  const admission = await admit({
    ...questionOf(operation, subject, registrations),
    hash,
    project: projectOf(call),
    endUser,
    metered: operation.metered ?? false,
  });
  if (!admission) throw unauthenticated("The API key is unknown.");
  return admission;
}
