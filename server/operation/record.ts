import type { StoredRefusal } from "#db/schema/audit.ts";
import { toUuid } from "#server/base/ids.ts";
import { log, redact } from "#server/base/log.ts";
import { platform } from "#server/platform.ts";
import { whenRead } from "./bytes.ts";
import type { AdmittedCall, Call, CallOutcome } from "./call.ts";
import type { CallResponse } from "./call-response.ts";
import type { ApiError } from "./errors.ts";
import { asApiError, isDatabaseGone, lostWhileStored } from "./faults.ts";
import { type AuditRecord, actorFields } from "./recorder.ts";
import { chargeOf } from "./response.ts";
import { storable } from "./storable.ts";

/**
 * Records the end of an admitted call: its audit event, the key's last use, its lease under `maxConcurrent`.
 * Returns the error to respond with if recording failed and the call must not succeed without it.
 */
export async function record(
  call: Call,
  admission: AdmittedCall,
  { response, recorded, unflushed, replayOf = null }: CallOutcome,
  started: number,
): Promise<ApiError | null> {
  const { requestId } = call;
  const { caller, at, renewed } = admission;
  const lease = admission.lease?.id ?? null;
  const { bytes } = response;
  try {
    const event = recorded
      ? null
      : { ...auditEvent(call, admission, response, namedResource(call), started), replayOf };
    // A refusal of the key itself is not a use of the key.
    const used =
      caller.type === "key" && response.status !== 401
        ? { accountId: toUuid("account", caller.accountId), keyId: toUuid("apiKey", caller.id), at }
        : null;
    if (bytes && lease) response.bytes = whenRead(bytes, () => void endLease(lease).catch(() => undefined));
    if (!event && !used && !lease && !unflushed) return null;
    if (lease && !bytes) platform().leases.drop(lease);
    // A moved expiry, or an end that is not recorded elsewhere, must be durable before the response; other
    // records may follow it. A call that failed because the database is unreachable does not wait for it
    // again.
    const wanting = response.error !== null && isDatabaseGone(response.error.cause);
    const awaited = !wanting && (event !== null || lease !== null || renewed || unflushed !== null);
    const stored = platform().record({
      event,
      used,
      lease: bytes ? null : lease,
      durable: awaited,
      unflushed: unflushed?.place ?? null,
    });
    if (awaited && (await stored).gone) {
      unflushed?.release();
      return lostWhileStored(new Error("The database went back behind the stored response."));
    }
    if (!awaited)
      stored.catch((error) => log.warn("The end of a request could not be stored.", { requestId, error }));
    return null;
  } catch (reason) {
    void response.bytes?.cancel().catch(() => undefined);
    if (unflushed) return lostWhileStored(reason);
    if (!recorded)
      return isDatabaseGone(reason) && mayBeDone(call, response)
        ? lostWhileStored(reason)
        : asApiError(reason, requestId);
    log.warn("The end of a recorded request could not be stored.", { requestId, error: reason });
    return null;
  }
}

/**
 * True if a call whose end cannot be recorded may have acted, or if its response is one that an earlier call
 * stored.
 */
function mayBeDone({ operation }: Call, { error }: CallResponse): boolean {
  return operation.idempotent && error?.operationState !== "not_started";
}

/** Releases a call's lease under `maxConcurrent`; a byte response holds it until the bytes are read. */
async function endLease(lease: string): Promise<void> {
  platform().leases.drop(lease);
  await platform().record({ event: null, used: null, lease, durable: false, unflushed: null });
}

/** Returns the audit event of a call. */
export function auditEvent(
  call: Call,
  { caller, at, selector, counted }: AdmittedCall,
  response: CallResponse,
  resource: string | null,
  started: number,
): AuditRecord {
  const { error } = response;
  return {
    ...actorFields(caller, at),
    operation: call.operation.id,
    selector,
    counted,
    resource,
    outcome: !error ? "allowed" : error.status >= 500 ? "error" : "denied",
    status: response.status,
    errorCode: error?.code ?? null,
    requestId: call.requestId,
    ip: call.ip,
    userAgent: call.userAgent && redact(storable(call.userAgent, 300)),
    durationMs: Math.round(performance.now() - started),
    chargedCredits: chargeOf(response),
    secretVersion: null,
    refusal: error && refusalOf(error),
  };
}

/** Returns the key that refused the call and the failed check; null if no key did. */
function refusalOf({ details: { check, keyId, limit } }: ApiError): StoredRefusal | null {
  if (!check) return null;
  return {
    check,
    keyId: keyId ?? null,
    limit: limit ? { operation: limit.operation, kind: limit.kind, limit: limit.limit } : null,
  };
}

/** Returns the resource id in the path, if it can be stored: a caller may send any text there. */
function namedResource(call: Call): string | null {
  const named = Object.values(call.params).at(-1);
  return named === undefined ? null : storable(named);
}

/**
 * Returns the id of the resource that a call concerned: the last path parameter, else the id of the created
 * resource.
 */
export function resourceOf(call: Call, output: Record<string, unknown>): string | null {
  const named = namedResource(call);
  if (named) return named;
  const created = Object.values(output)[0];
  return typeof created === "object" && created !== null && "id" in created && typeof created.id === "string"
    ? created.id
    : null;
}
