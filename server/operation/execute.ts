import { span, telemetry, unnamed } from "#server/base/telemetry.ts";
import { withinTurn } from "#server/base/turn-of-call.ts";
import { admit } from "./admit.ts";
import type { AdmittedCall, Call, CallOutcome } from "./call.ts";
import type { CallResponse } from "./call-response.ts";
import { callWithin } from "./call-within.ts";
import { type Claim, claim, isStored, replay } from "./claim.ts";
import { asApiError } from "./faults.ts";
import type { StoredResponse } from "./idempotency.ts";
import { lifecycleHeaders } from "./lifecycle.ts";
import { isPublic, type Operation } from "./operation.ts";
import { publishCallChanges } from "./publish-change.ts";
import { rateLimitHeaders } from "./rate-limit-headers.ts";
import { record } from "./record.ts";
import { refuseLeft } from "./refuse-left.ts";
import { chargeOf, errorResponse } from "./response.ts";
import { run } from "./run.ts";
import { type StartTurn, startTurn } from "./start-turns.ts";
import { validate } from "./validate.ts";

/**
 * Runs a call through the pipeline: admits it (authentication, then authorisation), validates its input,
 * claims its idempotency key, runs and commits it, records its end and publishes its changes.
 */
export async function execute(call: Call, { isNested = false } = {}): Promise<CallResponse> {
  const { metrics, requestLog } = telemetry;
  const started = performance.now();
  metrics?.callBegan();
  const ended = await span(
    call.operation.operationId,
    () => ({ attributes: { "platform.request.id": call.requestId, "platform.transport": call.transport } }),
    () => admitAndRecord(call, started, isNested),
  );
  const ms = performance.now() - started;
  metrics?.callEnded(call, ended.response, ms);
  requestLog?.(call, ended, ms);
  return ended.response;
}

/** Runs a call that the handler of another call makes, within that one's turn. */
const executeNested = (call: Call) => execute(call, { isNested: true });

/** Admits the call, performs it, and records its end. The account is null if nobody was authenticated. */
async function admitAndRecord(
  call: Call,
  started: number,
  isNested: boolean,
): Promise<{ response: CallResponse; accountId: string | null }> {
  const { operation, transport, requestId } = call;
  // The calls of runs are bounded by the runs that an account may have at a time.
  const takesTurn = !isNested && transport !== "run" && transport !== "trigger";
  let admission: AdmittedCall | null = null;
  let outcome: CallOutcome | null = null;
  let turn: StartTurn | null = null;
  try {
    if (!isPublic(operation)) admission = await span("admit", unnamed, () => admit(call));
    if (admission?.refusal) throw admission.refusal;
    if (admission && takesTurn) turn = await startTurn(admission.caller.accountId);
    if (admission) refuseLeft(call);
    outcome = await withinTurn(turn, () => validateAndRun(call, admission, started));
  } catch (reason) {
    const response = errorResponse(asApiError(reason, requestId), requestId);
    outcome = { response, recorded: false, unflushed: null };
  }
  const { response } = outcome;
  const charged = chargeOf(response);
  addHeaders({ headers: response.headers, charged }, operation, admission);
  traceResponse(response);
  if (!admission) return { response, accountId: null };
  const admitted = admission;
  const { accountId } = admitted.caller;
  const ended = outcome;
  const fault = await span("record", unnamed, () => record(call, admitted, ended, started));
  turn?.end();
  if (fault) return { response: errorResponse(fault, requestId), accountId };
  publishCallChanges(operation, admitted.caller, { failed: response.error !== null, charged });
  return { response, accountId };
}

/** Validates an admitted call's input, claims its idempotency key, and runs it or replays its response. */
async function validateAndRun(
  call: Call,
  admission: AdmittedCall | null,
  started: number,
): Promise<CallOutcome> {
  const valid = await validate(call, admission, started, callWithin(call, admission?.caller, executeNested));
  if (admission) refuseLeft(call);
  // Another call with the same key may commit first; the loop then claims again and replays its response.
  for (let lost: Claim | null = null; ; ) {
    const claimed: Claim | StoredResponse | null =
      valid.record && (await claim(valid.record, valid.external, lost));
    if (isStored(claimed)) return replay(valid, claimed);
    const outcome = await span("handle", unnamed, () => run(valid, claimed));
    if (outcome) return outcome;
    lost = claimed;
  }
}

/** Adds the headers of the operation's lifecycle and of the key's limits. */
function addHeaders(
  { headers, charged }: { headers: CallResponse["headers"]; charged: number },
  operation: Operation,
  admission: AdmittedCall | null,
): void {
  Object.assign(
    headers,
    lifecycleHeaders(operation),
    admission && rateLimitHeaders(admission.limits, charged),
  );
}

/** Adds the response's status, and the code of a platform's error, to the call's span. */
function traceResponse({ status, error }: CallResponse): void {
  telemetry.tracing?.set({
    "http.response.status_code": status,
    ...(error && error.status >= 500 && { "error.type": error.code }),
  });
}
