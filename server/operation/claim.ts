import { newUuid, toUuid } from "#server/ids.ts";
import { recordOnCreditToken } from "#server/keys/credit-tokens.ts";
import { platform } from "#server/platform.ts";
import type { Call, CallResponse, Outcome, ValidCall } from "./call.ts";
import type { Caller } from "./caller.ts";
import type { Left } from "./claim-releaser.ts";
import type { Progress } from "./commit.ts";
import { ApiError } from "./errors.ts";
import { DatabaseLost, isDatabaseGone, isStatementTimeout, lostWhileStored } from "./faults.ts";
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
/** A claim lives a minute: two beats may be lost before a repeat takes it over from a call that goes on. */
export const PROLONG_MS = 20_000;

/** An idempotency key that a call may act under. */
export interface Claim {
  record: CallRecord;
  /** Names what the call does outside the database: the same for every repeat of it. */
  effectId: string;
  /** Whether the key is claimed already; otherwise the commit claims it. */
  held: boolean;
}

/** Where a write is recorded under its idempotency key. */
export function recordOf(call: Call, caller: Caller, input: ParsedInput, key: string): CallRecord {
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
    callerId: callerUuid(caller) as string,
    key,
    fingerprints,
    keepHours: call.operation.movesMoney ? MONEY_REPLAY_HOURS : REPLAY_HOURS,
    durable: call.operation.external === true,
    process: liveness.name,
    claims,
  });
}

/**
 * Claims the key, or returns the response that an earlier call with it has stored. What only reads outside needs no claim
 * the first time: where a response is stored before its commit, nothing of this call is.
 */
export async function claim(
  record: CallRecord,
  { external }: Operation,
  again: boolean,
): Promise<Claim | StoredResponse> {
  if (external === "reads" && record.finished && !again) return { record, effectId: newUuid(), held: false };
  const claimed = await record.claim();
  return "body" in claimed ? claimed : { record, effectId: claimed.effectId, held: true };
}

export function isStored(claimed: Claim | StoredResponse | null): claimed is StoredResponse {
  return claimed !== null && "body" in claimed;
}

/** What a call's stored response is sealed under: a secret of the caller's; null to store it as it is. */
export function sealSecretOf({ call: { operation, credential }, admission }: ValidCall): SealSecret | null {
  if (credential.type === "none") return null;
  return operation.secretOutput || admission?.caller.privacyTier === "strict" ? credential.secret : null;
}

/** The stored response, with its resource as it is now where the operation says how that is read. */
export async function replay(valid: ValidCall, stored: StoredResponse): Promise<Outcome> {
  const { call, admission, bytes } = valid;
  await bytes?.compare(stored);
  const response: CallResponse = {
    status: stored.status,
    headers: { ...stored.headers, "idempotent-replayed": "true" },
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
  return { response, recorded: false, unflushed: valid.record?.unflushed ?? null };
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
 * Ends a claimed call that failed: gives the key back, and throws what the caller is to know. Returns the response of an
 * earlier call where the failure comes from that; null where another call was first.
 */
export async function abandon(
  valid: ValidCall,
  { record, held }: Claim,
  progress: Progress,
  reason: unknown,
): Promise<Outcome | null> {
  if (reason instanceof ClaimLost || refusedStatement(reason) === "call") return null;
  const { external } = valid.call.operation;
  const isUndone = isStatementTimeout(reason);
  const mayBeDone = (progress.committing && !isUndone) || (external === true && progress.begun);
  if (mayBeDone && isDatabaseGone(reason)) {
    // What was stored stays; where nothing was, a repeat need not wait for the lease.
    void record.release(external ? "doubt" : "nothing");
    throw lostWhileStored(reason);
  }
  const earlier = held ? null : await claimAfter(reason, record);
  if (earlier && "body" in earlier) return replay(valid, earlier);
  const released = record.release(leftBy(reason, external));
  if (!isDatabaseGone(reason)) await released;
  throw reason;
}

/** Claims the key of a call that failed without: it may fail because it was made before. */
async function claimAfter(reason: unknown, record: CallRecord) {
  try {
    return await record.claim();
  } catch (fault) {
    if (fault instanceof ApiError) throw fault;
    throw isDatabaseGone(fault) && !isDatabaseGone(reason) ? lostBeforeReplay(fault) : reason;
  }
}

/** Whether an earlier call under the same key has happened is not known, and so what this one's refusal means. */
function lostBeforeReplay(cause: unknown): ApiError {
  return new DatabaseLost(
    "The platform's database (DATABASE_URL) was lost before an earlier answer could be looked up. Repeat the call with the same Idempotency-Key.",
    cause,
    "unknown",
  );
}

/** A transaction leaves nothing; outside of one, only a promise that nothing happened is taken for that. */
function leftBy(reason: unknown, external: Operation["external"]): Left {
  if (!external) return "nothing";
  return reason instanceof ApiError && reason.operationState === "not_started" ? "failure" : "doubt";
}
