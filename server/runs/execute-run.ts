import type { Db } from "#db/client.ts";
import { backoffMs } from "#server/base/backoff.ts";
import { log } from "#server/base/log.ts";
import { span } from "#server/base/telemetry.ts";
import { withinRun } from "#server/operation/causing-run.ts";
import { ApiError, ERRORS } from "#server/operation/errors.ts";
import { isFrozen, isPlatformFault } from "#server/operation/faults.ts";
import { platform } from "#server/platform.ts";
import { capabilitiesOf, unavailabilityOf } from "#server/services/capabilities.ts";
import { serviceById } from "#server/services/registry.ts";
import type { Capability } from "#server/services/service.ts";
import { freeingText } from "#server/storage/queries.ts";
import type { ClaimedRun } from "./claim-runs.ts";
import { journalOf } from "./journal.ts";
import { messageToStore } from "./kept-text.ts";
import { type RunContext, RunFailure, Stopped } from "./run-context.ts";
import { contextOf } from "./run-steps.ts";
import type { RunWriter } from "./run-writer.ts";
import { RUN_LIMITS } from "./schema.ts";
import { type RunError, type RunOutcome, settleRun } from "./settle-run.ts";
import { type Control, type ExecutionState, suspensionOf } from "./step-lifecycle.ts";

/** A run whose workers keep dying is given up. */
const MAX_CRASHES = 5;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;

const CANCELLED: RunOutcome = {
  type: "ended",
  status: "cancelled",
  error: { code: "cancelled", message: "The run was cancelled.", step: null },
};
const EXPIRED: RunOutcome = {
  type: "ended",
  status: "expired",
  error: { code: "expired", message: "The run did not end in its time.", step: null },
};

const FULL: RunOutcome = {
  type: "ended",
  status: "failed",
  error: {
    code: "timeline_limit_exceeded",
    message: `The run's timeline has ${RUN_LIMITS.maximumTimelineEntries} entries, the most that a run may have. Do the rest in other runs.`,
    step: null,
  },
};

const LARGE: RunOutcome = {
  type: "ended",
  status: "failed",
  error: {
    code: "size_limit_exceeded",
    message: `The run keeps more than ${RUN_LIMITS.maximumKeptBytes} bytes, the most that a run may keep. Do the rest in other runs, or have steps answer less.`,
    step: null,
  },
};

/** Returns the outcome of a run whose last write has exceeded the budget; that write is kept. */
const overBudget = (): RunOutcome => ({
  type: "ended",
  status: "failed",
  error: {
    code: "quota_exceeded",
    message: `The account's runs keep more than the ${platform().settings.storage.runsBytes} bytes that they may. This run's steps so far are kept, and it goes no further. ${freeingText("runs")}`,
    step: null,
  },
});

/** Executes a claimed run until it ends, waits or is left; stores the outcome and returns its type. */
export function executeRun(
  db: Db,
  writer: RunWriter,
  run: ClaimedRun,
  control: Control,
): Promise<RunOutcome["type"]> {
  return span(
    `run ${run.serviceId}.${run.operationId}`,
    () => ({ attributes: { "platform.run.id": run.id, "platform.request.id": run.requestId } }),
    () => withinRun(run.id, () => executeAndSettle(db, writer, run, control)),
  );
}

async function executeAndSettle(
  db: Db,
  writer: RunWriter,
  run: ClaimedRun,
  control: Control,
): Promise<RunOutcome["type"]> {
  const outcome = await outcomeOf(db, writer, run, control);
  try {
    const settled = await settleRun(db, writer, run, outcome);
    // Somebody has cancelled it in the meantime. If another worker has claimed it, this changes nothing.
    if (!settled && (outcome.type === "suspended" || outcome.type === "retry"))
      await settleRun(db, writer, run, CANCELLED);
    return outcome.type;
  } catch (error) {
    log.warn("The state of a run could not be stored.", { runId: run.id, error });
    return "interrupted";
  }
}

async function outcomeOf(db: Db, writer: RunWriter, run: ClaimedRun, control: Control): Promise<RunOutcome> {
  if (run.status === "cancelling") return CANCELLED;
  if (run.expiresAt.getTime() <= run.now()) return EXPIRED;
  if (run.keptBytes > RUN_LIMITS.maximumKeptBytes) return LARGE;
  let execution: ExecutionState | undefined;
  try {
    const { caller, refusal } = run;
    if (run.crashes > MAX_CRASHES)
      throw new RunFailure("internal", `Its workers died ${run.crashes} times in a row while executing it.`);
    if (refusal)
      throw new ApiError(refusal, "The key that created the run has ended. Retry the run with another key.");
    if (!caller)
      throw new ApiError(
        "unauthenticated",
        "The member who created the run has left the account. Retry the run as another member.",
      );
    const capability = runnable(run);
    const journal = journalOf(db, writer, run);
    const entries = run.resumed ? await journal.read() : new Map();
    const made = contextOf(run, { db, journal, entries, caller, control });
    execution = made.execution;
    const result = capability.output.parse(await perform(capability, made.context, run));
    // A handler that caught the signal to leave the run is left all the same.
    if (control.abort.signal.aborted) throw control.abort.signal.reason;
    const reason = suspensionOf(execution);
    if (reason) return { type: "suspended", reason };
    return { type: "succeeded", result, ...chargeOf(run, capability, execution) };
  } catch (reason) {
    // After the signal to leave, the handler's own errors say nothing about the run.
    const { signal } = control.abort;
    return outcomeOfFailure(run, signal.aborted ? signal.reason : reason, execution);
  }
}

/** Returns the run's operation as currently installed. */
function runnable(run: ClaimedRun): Capability {
  const service = serviceById(run.serviceId);
  const reason = service
    ? unavailabilityOf(service, run.connectionId)
    : `There is no service ${run.serviceId} any more.`;
  if (reason) throw new ApiError("service_unavailable", reason);
  const capability = service && capabilitiesOf(service).find(({ id }) => id === run.operationId);
  if (!capability?.modes.includes("run"))
    throw new ApiError("service_unavailable", `${run.serviceId} ${run.operationId} can no longer run here.`);
  return capability;
}

function perform({ run, handler, read, input }: Capability, context: RunContext, { requestId }: ClaimedRun) {
  const parsed = { ...context, input: input.parse(context.input) };
  if (run) return run(parsed);
  return context.step("invoke", async ({ tx }) =>
    read
      ? read({ input: parsed.input, caller: context.caller, db: tx })
      : handler?.({ input: parsed.input, caller: context.caller, tx, requestId }),
  );
}

/**
 * Returns the charge: an exact price as held; any other price by usage plus the handler's own charges, up to the held
 * credits.
 */
function chargeOf(run: ClaimedRun, { price }: Capability, { credits, units }: ExecutionState) {
  if (price.unit === "call") return { credits: run.heldCredits, units: 1 };
  const { used } = run;
  return { credits: Math.min(credits + used.credits, run.heldCredits), units: units + used.units };
}

function outcomeOfFailure(
  run: ClaimedRun,
  reason: unknown,
  execution: ExecutionState | undefined,
): RunOutcome {
  if (reason instanceof Stopped) {
    if (reason.why === "cancelled") return CANCELLED;
    if (reason.why === "full") return FULL;
    if (reason.why === "large") return LARGE;
    if (reason.why === "over") return overBudget();
    return reason.why === "expired" ? EXPIRED : { type: "left" };
  }
  // A step's failure ends the run even if other steps wait; any other error then only means that they wait.
  const expected = reason instanceof ApiError || reason instanceof RunFailure;
  const suspension = execution ? suspensionOf(execution) : null;
  if (suspension && !expected) return { type: "suspended", reason: suspension };
  // The journal has every stored step: the run is claimed again and continues after the last one.
  if (isPlatformFault(reason) || isFrozen(reason)) return { type: "interrupted" };
  const error = errorOf(run, reason, execution);
  const isFinal =
    run.attempt >= run.maxAttempts || execution?.decided.has(Object(reason)) || !mayRetry(reason);
  if (isFinal) return { type: "ended", status: "failed", error };
  const backOff = backoffMs(run.attempt - 1, FIRST_RETRY_MS, LONGEST_RETRY_MS);
  const asked = reason instanceof ApiError ? (reason.details.retryAfterSeconds ?? 0) * 1000 : 0;
  return { type: "retry", error, delayMs: Math.max(backOff, asked) };
}

/** True unless the failure is the caller's fault and would recur. */
function mayRetry(reason: unknown): boolean {
  if (reason instanceof RunFailure) return false;
  return !(reason instanceof ApiError) || reason.status >= 500 || ERRORS[reason.code].retryable;
}

function errorOf(run: ClaimedRun, reason: unknown, execution: ExecutionState | undefined): RunError {
  const step = (typeof reason === "object" && reason && execution?.stepOf.get(reason)) || null;
  if (reason instanceof ApiError || reason instanceof RunFailure)
    return { code: reason.code, message: messageToStore(run, reason), step };
  log.error("A run failed.", { runId: run.id, requestId: run.requestId, error: reason });
  const message = `The platform failed. Ask for help with the request id ${run.requestId}.`;
  return { code: "internal", message, step };
}
