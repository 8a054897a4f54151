import { ApiError, ERRORS, type ErrorCode } from "#server/operation/errors.ts";
import { isPlatformFault } from "#server/operation/faults.ts";
import { Abandoned, type RunContext } from "#server/runs/run-context.ts";
import { fillerOf } from "./fill.ts";
import type { Fill } from "./frame.ts";
import { type Frame, stateOf, type WorkflowInput } from "./frame.ts";
import { WORKFLOW_LIMITS } from "./limits.ts";
import { runNesting } from "./run-nesting.ts";
import { runStep } from "./run-step.ts";
import type { NestingStep, Step } from "./schema.ts";
import { isRepeatable } from "./send-request.ts";

/**
 * Runs a workflow's steps in sequence. Each is a step of the run's journal, named by its path: `steps.greet`,
 * `steps.each[3].send`, `steps.both[card].charge`, `steps.order[catch].refund`. Journal entries that belong to a step
 * but are none themselves have a colon in their name, which no id has.
 */
export async function runWorkflow(
  run: RunContext<WorkflowInput>,
  fill: Fill = fillerOf(run),
): Promise<{ output: unknown }> {
  const { workflow } = run.input;
  const frame: Frame = { steps: {}, deadline: null, bounds: null };
  let outputBytes = 0;

  const last = await runSteps(workflow.steps, "steps", frame);
  if (workflow.output === undefined) return { output: last };
  return { output: (await fill(workflow.output, "output", frame)) ?? null };

  async function runSteps(steps: readonly Step[], within: string, frame: Frame): Promise<unknown> {
    let output: unknown = null;
    for (const [nth, step] of steps.entries()) {
      output = (await attempts(step, `${within}.${step.id}`, frame)) ?? null;
      outputBytes += JSON.stringify(output).length;
      if (outputBytes > WORKFLOW_LIMITS.maximumOutputBytes)
        throw new ApiError(
          "query_limit_exceeded",
          `The outputs of the steps have more than ${WORKFLOW_LIMITS.maximumOutputBytes} bytes in all.`,
        );
      frame.steps[step.id] = output;
      if (within === "steps") await run.progress((nth + 1) / steps.length);
    }
    return output;
  }

  /**
   * Attempts a step as often as its retry settings say. Failed attempts are in the journal, so that a replay does not
   * repeat them.
   */
  async function attempts(step: Step, path: string, frame: Frame): Promise<unknown> {
    if (stateOf(frame) !== "open") return goOnAlone(step, path, frame);
    const most = step.retry?.maxAttempts ?? 1;
    const before = new Set(Object.keys(frame.steps));
    for (let attempt = 1; attempt < most; attempt++) {
      const done = await run.attempt(
        nameOf(step, path, attempt),
        attempt,
        (reason) => secondsUntilNext(step, attempt, reason),
        () => once(step, path, attempt, frame),
      );
      if (done) return done.value;
      // A replay skips the failed attempt, so later steps must not see outputs of its nested steps.
      for (const id of Object.keys(frame.steps)) if (!before.has(id)) delete frame.steps[id];
      if (stateOf(frame) !== "open") throw new Abandoned(path);
    }
    return once(step, path, most, frame);
  }

  async function once(step: Step, path: string, attempt: number, frame: Frame): Promise<unknown> {
    const here = nameOf(step, path, attempt);
    if (isNesting(step)) return runNesting({ run, fill, runSteps }, step, here, frame);
    return runStep({ run, fill, attempt }, step, here, frame);
  }

  /** If no step may begin any more: the output of this one, or the end of the runs and requests that it has sent. */
  async function goOnAlone(step: Step, path: string, frame: Frame): Promise<unknown> {
    const mayEnd = stateOf(frame) === "ending";
    for (let attempt = step.retry?.maxAttempts ?? 1; attempt > 0; attempt--) {
      const name = nameOf(step, path, attempt);
      if (run.recorded(name) || (mayEnd && run.begun(name))) return once(step, path, attempt, frame);
    }
    throw new Abandoned(path);
  }
}

function isNesting(step: Step): step is NestingStep {
  return ["branch", "map", "parallel", "try", "while"].includes(step.type);
}

/** Attempts at one effect share its name and so its idempotency key; nesting and waiting steps begin anew. */
function nameOf({ type }: Step, path: string, attempt: number): string {
  const isEffect = type === "invoke" || type === "operation" || type === "http";
  return isEffect || attempt === 1 ? path : `${path}:${attempt}`;
}

/** Returns the delay before the next attempt, if the step retries after such a failure; null if it has failed. */
function secondsUntilNext({ retry, ...step }: Step, attempt: number, reason: unknown): number | null {
  if (!retry || !(reason instanceof ApiError) || isPlatformFault(reason)) return null;
  const { code, details } = reason;
  const wanted = retry.on ? retry.on.includes(code) : isPassing(step, code);
  if (!wanted) return null;
  const backOff = Math.min(retry.backoffSeconds * retry.factor ** (attempt - 1), 86_400);
  return Math.max(backOff, details.retryAfterSeconds ?? 0);
}

/** True if a failure may be temporary and another attempt does no harm. */
function isPassing(step: Pick<Step, "type">, code: ErrorCode): boolean {
  if (code === "service_timeout")
    return step.type === "http" && isRepeatable((step as Extract<Step, { type: "http" }>).method);
  return code === "service_failed" || ERRORS[code].retryable;
}
