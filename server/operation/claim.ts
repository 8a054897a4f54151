import { defined } from "#server/base/defined.ts";
import { newUuid, toUuid } from "#server/base/ids.ts";
import { recordOnCreditToken } from "#server/keys/credit-tokens.ts";
import { platform } from "#server/platform.ts";
import type { Call, CallOutcome, CommitProgress, ValidCall } from "./call.ts";
import type { CallResponse } from "./call-response.ts";
import type { Caller } from "./caller.ts";
import type { Left } from "./claim-releaser.ts";
import { ApiError } from "./errors.ts";
import { DatabaseLost, isDatabaseGone, isFrozen, isStatementTimeout, lostWhileStored } from "./faults.ts";
import {
  type CallRecord,
  ClaimLost,
  callRecord,
  fingerprintsOf,
  type StoredResponse,
} from "./idempotency.ts";
import type { ParsedInput } from "./input.ts";
import type { Operation } from "./operation.ts";
import { callerUuid } from "./recorder.ts";
import { successBody } from "./response.ts";
import { openFor, type SealSecret } from "./seal.ts";
import { refusedStatement } from "./statement-batch.ts";

const REPLAY_HOURS = 24;
const MONEY_REPLAY_HOURS = 30 * 24;
/** The name under which a stored response's headers hold the request that stored it; no response sends it. */
export const FIRST_REQUEST = "first-request";
/**
 * Claims expire after a minute, so two prolongations may be lost before a repeat takes over a call that still
 * runs.
 */
export const PROLONG_MS = 20_000;

/** An idempotency key under which a call may act. */
export interface Claim {
  record: CallRecord;
  /** Identifies the call's effect outside the database; the same for every repeat of the call. */
  effectId: string;
  /** True if the key is claimed already; otherwise the commit claims it. */
  held: boolean;
}

/** Returns the record that stores a write under its idempotency key. */
export function recordOf(
  call: Call,
  {
    caller,
    input,
    key,
    external,
  }: Pick<ValidCall, "external"> & { caller: Caller; input: ParsedInput; key: string },
): CallRecord {
  const { database, settings, liveness, claims } = platform();
  const fingerprints = fingerprintsOf(settings.fingerprintSecrets, {
    method: call.operation.method,
    path: call.operation.path,
    ...input,
    project: call.project,
    endUser: call.endUser,
    contentType: call.contentType,
  });
  if (caller.type === "system" && caller.creditTokenId)
    return recordOnCreditToken(database, caller, key, fingerprints);
  return callRecord(database.admission, {
    accountId: toUuid("account", caller.accountId),
    callerId: defined(callerUuid(caller)),
    key,
    fingerprints,
    keepHours: call.operation.movesMoney ? MONEY_REPLAY_HOURS : REPLAY_HOURS,
    durable: external === true,
    process: liveness.name,
    claims,
  });
}

/**
 * Claims the key, or returns the response that an earlier call stored under it. A call that only reads
 * outside the database needs no claim at its first attempt: if another call commits a response first, this
 * one stores nothing. A call that has lost its claim does nothing more: the call that took the claim over may have
 * been refused, and its caller was told that nothing happened.
 */
export async function claim(
  record: CallRecord,
  external: Operation["external"],
  lost: Claim | null,
): Promise<Claim | StoredResponse> {
  if (external === "reads" && record.finished && !lost) return { record, effectId: newUuid(), held: false };
  const claimed = await record.claim();
  if ("body" in claimed) return claimed;
  if (lost?.held) {
    await record.release(external ? "doubt" : "nothing");
    throw new ApiError(
      "idempotency_in_progress",
      "Another request with the same Idempotency-Key took the call over, and has not done it. Send it again.",
      { retryAfterSeconds: 2 },
    );
  }
  return { record, effectId: claimed.effectId, held: true };
}

export function isStored(claimed: Claim | StoredResponse | null): claimed is StoredResponse {
  return claimed !== null && "body" in claimed;
}

/** Returns the caller's secret under which the stored response is sealed; null to store it unsealed. */
export function sealSecretOf({ call, admission, context }: ValidCall): SealSecret | null {
  const { operation, credential } = call;
  if (credential.type === "none") return null;
  const isSecret = operation.secretOutput || operation.mayAnswerSecret?.(context);
  return isSecret || admission?.caller.privacyTier === "strict" ? credential.secret : null;
}

/** Returns the stored response; if the operation has `refresh`, with the resource as it is now. */
export async function replay(valid: ValidCall, stored: StoredResponse): Promise<CallOutcome> {
  const { call, admission, bytes } = valid;
  await bytes?.compare(stored);
  const { [FIRST_REQUEST]: replayOf = null, ...headers } = stored.headers;
  const response: CallResponse = {
    status: stored.status,
    headers: { ...headers, "idempotent-replayed": "true" },
    body: new TextDecoder().decode(opened(valid, stored)),
    error: null,
  };
  const { refresh } = call.operation;
  if (refresh && admission) {
    const { ok: _, ...output } = JSON.parse(response.body);
    const now = await refresh({ output, caller: admission.caller, db: platform().database.db });
    response.status = now.status;
    response.body = successBody(call.operation, now.output);
  }
  return { response, recorded: false, unflushed: valid.record?.unflushed ?? null, replayOf };
}

function opened(valid: ValidCall, { body }: StoredResponse): Uint8Array {
  const secret = sealSecretOf(valid);
  const plain = secret && valid.record ? openFor(secret, valid.record.context, body) : body;
  if (!plain)
    throw new ApiError(
      "state_conflict",
      "The call was made before; the secret in its answer was shown once.",
    );
  return plain;
}

/**
 * Ends a claimed call that failed: releases the key and throws the error for the caller. Returns an earlier
 * call's response if that call caused the failure; null if another call committed first.
 */
export async function abandon(
  valid: ValidCall,
  { record, held }: Claim,
  progress: CommitProgress,
  reason: unknown,
): Promise<CallOutcome | null> {
  if (reason instanceof ClaimLost || refusedStatement(reason) === "call") return null;
  const { external } = valid;
  const isUndone = isStatementTimeout(reason);
  const mayBeDone = (progress.committing && !isUndone) || (external === true && progress.begun);
  if (mayBeDone && (isDatabaseGone(reason) || isFrozen(reason))) {
    // Stored data stays. If nothing was stored, releasing the key spares a repeat the wait for the lease.
    void record.release(external ? "doubt" : "nothing");
    throw lostWhileStored(reason);
  }
  const earlier = held ? null : await claimAfter(reason, record);
  if (earlier && "body" in earlier) return replay(valid, earlier);
  const released = record.release(leftBy(reason, external));
  // A failure caused by another call's claim is ignored: that call's response is returned instead.
  if (!isDatabaseGone(reason) && !(await released) && held) return null;
  throw reason;
}

/**
 * Claims the key of a call that failed before it had a claim: the failure may come from an earlier call with
 * the same key.
 */
async function claimAfter(reason: unknown, record: CallRecord) {
  try {
    return await record.claim();
  } catch (fault) {
    if (fault instanceof ApiError) throw fault;
    throw isDatabaseGone(fault) && !isDatabaseGone(reason) ? lostBeforeReplay(fault) : reason;
  }
}

/**
 * Returns the error for a refusal that may come from an earlier call under the same key, when it is unknown
 * whether that call happened.
 */
function lostBeforeReplay(cause: unknown): ApiError {
  return new DatabaseLost(
    "The platform's database (DATABASE_URL) was lost before an earlier answer could be looked up. Repeat the call with the same Idempotency-Key.",
    cause,
    "unknown",
  );
}

/**
 * Returns the traces of a failed call. A rolled-back transaction leaves nothing; an external effect
 * counts as not happened only if the error promises that.
 */
function leftBy(reason: unknown, external: Operation["external"]): Left {
  if (!external) return "nothing";
  return reason instanceof ApiError && reason.operationState === "not_started" ? "failure" : "doubt";
}
