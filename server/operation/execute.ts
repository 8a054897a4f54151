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
import { isPublic } from "./operation.ts";
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
export function execute(call: Call): Promise<CallResponse> {
  // The calls of runs are bounded by the runs that an account may have at a time.
  return executeIn(call, call.transport === "run" || call.transport === "trigger" ? null : startTurn);
}

/** Runs a call that another call makes, within that one's turn. */
const executeWithin = (call: Call) => executeIn(call, null);

async function executeIn(call: Call, takeTurn: typeof startTurn | null): Promise<CallResponse> {
  const { metrics } = telemetry;
  const started = performance.now();
  metrics?.callBegan();
  const response = await span(
    call.operation.operationId,
    () => ({ attributes: { "platform.request.id": call.requestId, "platform.transport": call.transport } }),
    () => runSteps(call, started, takeTurn),
  );
  metrics?.callEnded(call, response, performance.now() - started);
  return response;
}

/** Validates an admitted call's input, claims its idempotency key, and runs it or replays its response. */
async function perform(call: Call, admission: AdmittedCall | null, started: number): Promise<CallOutcome> {
  const valid = await validate(call, admission, started, callWithin(call, admission?.caller, executeWithin));
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

async function runSteps(
  call: Call,
  started: number,
  takeTurn: typeof startTurn | null,
): Promise<CallResponse> {
  const { operation, requestId } = call;
  let admission: AdmittedCall | null = null;
  let outcome: CallOutcome | null = null;
  let turn: StartTurn | null = null;
  try {
    if (!isPublic(operation)) admission = await span("admit", unnamed, () => admit(call));
    if (admission?.refusal) throw admission.refusal;
    if (admission && takeTurn) turn = await takeTurn(admission.caller.accountId);
    if (admission) refuseLeft(call);
    outcome = await withinTurn(turn, () => perform(call, admission, started));
  } catch (reason) {
    const response = errorResponse(asApiError(reason, requestId), requestId);
    outcome = { response, recorded: false, unflushed: null };
  }
  const { response } = outcome;
  const charged = chargeOf(response);
  Object.assign(
    response.headers,
    lifecycleHeaders(operation),
    admission && rateLimitHeaders(admission.limits, charged),
  );
  telemetry.tracing?.set({
    "http.response.status_code": response.status,
    ...(response.error && response.error.status >= 500 && { "error.type": response.error.code }),
  });
  if (!admission) return response;
  const caller = admission;
  const ended = outcome;
  const fault = await span("record", unnamed, () => record(call, caller, ended, started));
  turn?.end();
  if (fault) return errorResponse(fault, requestId);
  publishCallChanges(operation, admission.caller, { failed: response.error !== null, charged });
  return response;
}
