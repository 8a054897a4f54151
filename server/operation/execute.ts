import { uuidOf } from "#server/ids.ts";
import { log, redact } from "#server/log.ts";
import { platform } from "#server/platform.ts";
import { selectorsOf, subjectOf } from "./access.ts";
import type { Admission } from "./admission.ts";
import { admitCall, mayReadEarly } from "./admit-call.ts";
import { type ByteRequest, whenRead } from "./bytes.ts";
import { type ApiError, errorBody } from "./errors.ts";
import { asApiError, isDatabaseGone } from "./faults.ts";
import { storable } from "./input.ts";
import { lifecycleHeaders } from "./lifecycle.ts";
import { isPublic, type Operation, type SentPayment, type Subject } from "./operation.ts";
import { namedBy, perform } from "./perform.ts";
import { publishCallChanges } from "./publish-change.ts";
import { rateLimitHeaders } from "./rate-limit-headers.ts";
import { type AuditRecord, actorFacts } from "./recorder.ts";
import { type Draft, lostWhileStored } from "./run-idempotently.ts";
import type { SentBytes } from "./upload.ts";

/** Who calls, as the transport read it. */
export type Credential =
  | { type: "none" }
  | { type: "key"; secret: string }
  | { type: "creditToken"; secret: string }
  /** `secret` is a random of the session: what is sealed for replays opens within it only. */
  | { type: "member"; sessionId: string; accountId: string; secret: string }
  /** A key or a member in whose name the platform itself goes on; `secret` is one of the platform's own. */
  | { type: "storedKey"; hash: string; secret: readonly string[] }
  | { type: "storedMember"; memberId: string; accountId: string; secret: readonly string[] };

/** A call of an operation by any transport. */
export interface Call {
  operation: Operation;
  requestId: string;
  credential: Credential;
  params: Record<string, string>;
  /** Query fields by name; throws on repeated ones. */
  readQuery(): unknown;
  /** The JSON body, bounded; undefined where none was sent. May be called more than once. */
  readBody(): Promise<unknown>;
  /** The raw bytes of an operation that takes those in place of a JSON body. */
  sentBytes?: SentBytes;
  /** How bytes are asked for, by a transport that carries them. */
  byteRequest?: ByteRequest;
  contentType: string | null;
  /** How many bytes the body has, null where its length is not told; missing where the transport has read it. */
  contentLength?: number | null;
  /** `X-Service-Project`. */
  project: string | null;
  /** `X-Service-End-User`. */
  endUser: string | null;
  /** What is wrong with these two, told to a caller who may call. */
  headerFault: ApiError | null;
  idempotencyKeys: readonly string[];
  /** The headers of an operation that takes `payment`. */
  payment?: SentPayment;
  ip: string | null;
  userAgent: string | null;
  signal: AbortSignal;
}

/** The pipeline's answer; transports give it their form. */
export interface Answer extends Draft {
  error: ApiError | null;
}

/** Runs a call through the one pipeline: admit, check, claim, handle, record, answer. */
export async function execute(call: Call): Promise<Answer> {
  const started = performance.now();
  const { operation } = call;
  let subject: Subject = {};
  let admission: Admission | null = null;
  let recorded = false;
  let unflushed = false;
  let answer: Answer;
  try {
    // Where the service stands in the body it is read first, leniently: access wins over every fault in it.
    const named = typeof operation.service === "function" && operation.body !== undefined;
    const early =
      named && (await mayReadEarly(call)) ? await call.readBody().catch(() => undefined) : undefined;
    subject = subjectOf(operation, call.params, early);
    if (!isPublic(operation)) admission = await admitCall(call, subject);
    if (admission?.lease) platform().leases.hold(admission.lease);
    if (admission?.refusal) throw admission.refusal;
    const result = await perform(call, admission, (draft, resource) => eventOf(draft, null, resource));
    ({ recorded, unflushed } = result);
    answer = { ...result.draft, error: null };
  } catch (reason) {
    answer = failure(asApiError(reason, call.requestId), call.requestId);
  }
  Object.assign(
    answer.headers,
    lifecycleHeaders(operation),
    admission && rateLimitHeaders(admission.limits, chargeOf(answer)),
  );
  if (!admission) return answer;
  try {
    await end(admission, recorded ? null : eventOf(answer, answer.error, namedBy(call)));
  } catch (reason) {
    void answer.bytes?.cancel().catch(() => undefined);
    if (unflushed) return failure(lostWhileStored(reason), call.requestId);
    if (!recorded) return failure(asApiError(reason, call.requestId), call.requestId);
    log.warn("The end of a recorded request could not be stored.", {
      requestId: call.requestId,
      error: reason,
    });
  }
  publishCallChanges(operation, admission.caller, {
    failed: answer.error !== null,
    charged: chargeOf(answer),
  });
  return answer;

  function eventOf(draft: Draft, error: ApiError | null, resource: string | null): AuditRecord | null {
    if (!admission) return null;
    return {
      ...actorFacts(admission.caller, admission.at),
      operation: operation.id,
      selector: selectorsOf(operation, subject)[0] as string,
      counted: admission.counted,
      resource,
      outcome: !error ? "allowed" : error.status >= 500 ? "error" : "denied",
      status: draft.status,
      errorCode: error?.code ?? null,
      requestId: call.requestId,
      ip: call.ip,
      userAgent: call.userAgent && redact(storable(call.userAgent, 300)),
      durationMs: Math.round(performance.now() - started),
      // A replay tells of the first call's charge; it charges nothing itself.
      chargedCredits: draft.headers["idempotent-replayed"]
        ? 0
        : Number(draft.headers["x-service-credits-charged"] ?? 0),
      secretVersion: null,
    };
  }

  async function end({ caller, at, lease, renewed }: Admission, event: AuditRecord | null) {
    // A key that was refused as such has not been used.
    const authenticated = answer.status !== 401;
    const accountId = uuidOf("account", caller.accountId) as string;
    const used =
      caller.type === "key" && authenticated
        ? { accountId, keyId: uuidOf("apiKey", caller.id) as string, at }
        : null;
    const { bytes } = answer;
    if (bytes && lease) answer.bytes = whenRead(bytes, () => void give(lease).catch(() => undefined));
    if (!event && !used && !lease && !unflushed) return;
    if (lease && !bytes) platform().leases.drop(lease);
    // What moves an expiry or ends unrecorded must be durable before the answer; the rest may follow it.
    // A call that failed for want of the database does not wait for it once more.
    const wanting = answer.error !== null && isDatabaseGone(answer.error.cause);
    const awaited = !wanting && (event !== null || lease !== null || renewed || unflushed);
    const stored = platform().record({ event, used, lease: bytes ? null : lease, durable: awaited });
    if (awaited) await stored;
    else
      stored.catch((reason) =>
        log.warn("The end of a request could not be stored.", { requestId: call.requestId, error: reason }),
      );
  }
}

/** Ends a call's place under `maxConcurrent`, which bytes hold until they are read. */
async function give(lease: string): Promise<void> {
  platform().leases.drop(lease);
  await platform().record({ event: null, used: null, lease, durable: false });
}

/** What the call was charged now; the header of a replay tells what the first one was. */
function chargeOf({ headers }: Draft): number {
  return headers["idempotent-replayed"] ? 0 : Number(headers["x-service-credits-charged"] ?? 0);
}

/** The answer that tells of an error. */
export function failure(error: ApiError, requestId: string): Answer {
  const { retryAfterSeconds, headers, fields } = error.details;
  return {
    status: error.status,
    headers: {
      ...headers,
      ...(error.status === 401 && { "www-authenticate": "Bearer" }),
      ...(retryAfterSeconds !== undefined && { "retry-after": String(retryAfterSeconds) }),
    },
    body: JSON.stringify({
      ok: false,
      error: errorBody(error, requestId, platform().settings.baseUrl),
      ...fields,
    }),
    error,
  };
}
