import { ApiError, ERRORS, type ErrorCode } from "#server/operation/errors.ts";
import { isDatabaseGone } from "#server/operation/faults.ts";
import type { RunContext } from "#server/runs/run-context.ts";
import { fillerOf } from "./fill.ts";
import { runStep } from "./run-step.ts";
import { type BranchStep, type MapStep, type Step, WORKFLOW_LIMITS, type Workflow } from "./schema.ts";
import { isRepeatable } from "./send-request.ts";

export interface WorkflowInput {
  workflow: Workflow;
  input?: unknown;
}

/** What the expressions of a step see, and by when it has to be done. */
export interface Frame {
  steps: Record<string, unknown>;
  item?: unknown;
  index?: number;
  /** Of a step that is called back. */
  callback?: { url: string };
  /** Unix milliseconds; null: whenever. */
  deadline: number | null;
}

/**
 * Runs a workflow's steps one after another. Each is a step of the run's journal, named by its path: `steps.greet`,
 * `steps.each[3].send`. What belongs to a step but is none of its own has a colon in its name, as no id has.
 */
export async function runWorkflow(run: RunContext<WorkflowInput>): Promise<{ output: unknown }> {
  const { workflow } = run.input;
  const fill = fillerOf(run);
  const frame: Frame = { steps: {}, deadline: null };
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

  /** Attempts a step as often as it asks for. What has failed is in the journal, so that a replay does not repeat it. */
  async function attempts(step: Step, path: string, frame: Frame): Promise<unknown> {
    const most = step.retry?.maxAttempts ?? 1;
    for (let attempt = 1; attempt < most; attempt++) {
      const done = await run.attempt(
        nameOf(step, path, attempt),
        attempt,
        (reason) => secondsUntilNext(step, attempt, reason),
        () => once(step, path, attempt, frame),
      );
      if (done) return done.value;
    }
    return once(step, path, most, frame);
  }

  async function once(step: Step, path: string, attempt: number, frame: Frame): Promise<unknown> {
    const here = nameOf(step, path, attempt);
    if (step.type !== "map" && step.type !== "branch")
      return runStep({ run, fill, attempt }, step, here, frame);
    const { timeoutSeconds } = step;
    const own =
      timeoutSeconds === undefined
        ? null
        : await run.note(`${here}:deadline`, async () => Date.now() + timeoutSeconds * 1000);
    const inner = { ...frame, deadline: soonest(own, frame.deadline) };
    return step.type === "map" ? runMap(step, here, inner) : runBranch(step, here, inner);
  }

  async function runBranch(step: BranchStep, path: string, frame: Frame): Promise<unknown> {
    const taken =
      (run.recorded(path)?.output as { case: number } | undefined) ?? (await decide(step, path, frame));
    return runSteps(step.cases[taken.case]?.steps ?? step.else ?? [], path, frame);
  }

  /** Which case holds, -1 for none; kept, since it may have depended on the time. */
  async function decide({ cases }: BranchStep, path: string, frame: Frame): Promise<{ case: number }> {
    let found = -1;
    for (const [nth, { when }] of cases.entries()) {
      if (found === -1 && holds(await fill(when, path, frame, `.cases.${nth}.when`))) found = nth;
    }
    return run.step(path, async () => ({ case: found }));
  }

  async function runMap({ items, concurrency, steps }: MapStep, path: string, frame: Frame) {
    const list = listOf(await fill(items, path, frame, ".items"));
    await run.step(path, async () => {
      if (list.length <= WORKFLOW_LIMITS.maximumItems) return { items: list.length };
      throw new ApiError(
        "query_limit_exceeded",
        `${path}.items: ${list.length} items; at most ${WORKFLOW_LIMITS.maximumItems}.`,
      );
    });
    return run.map(list, concurrency, (item, index) =>
      runSteps(steps, `${path}[${index}]`, { ...frame, steps: { ...frame.steps }, item, index }),
    );
  }
}

/** Attempts at one effect share its name, and so its idempotency key; what holds or waits begins anew. */
function nameOf({ type }: Step, path: string, attempt: number): string {
  const isEffect = type === "invoke" || type === "operation" || type === "http";
  return isEffect || attempt === 1 ? path : `${path}:${attempt}`;
}

function soonest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/** As JSONata has it: nothing, and what is empty, does not hold. */
function holds(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** JSONata makes one thing of a list with one element, and nothing of an empty one. */
function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** How long to wait before the next attempt, where the step asks for one after such a failure; null where it has failed. */
function secondsUntilNext({ retry, ...step }: Step, attempt: number, reason: unknown): number | null {
  if (!retry || !(reason instanceof ApiError) || isDatabaseGone(reason)) return null;
  const { code, details } = reason;
  const wanted = retry.on ? retry.on.includes(code) : isPassing(step, code);
  if (!wanted) return null;
  const backOff = Math.min(retry.backoffSeconds * retry.factor ** (attempt - 1), 86_400);
  return Math.max(backOff, details.retryAfterSeconds ?? 0);
}

/** Whether a failure may pass by itself, and another attempt does no harm. */
function isPassing(step: Pick<Step, "type">, code: ErrorCode): boolean {
  if (code === "service_timeout")
    return step.type === "http" && isRepeatable((step as Extract<Step, { type: "http" }>).method);
  return code === "service_failed" || ERRORS[code].retryable;
}
