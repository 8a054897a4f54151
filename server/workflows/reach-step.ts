import { setImmediate } from "node:timers/promises";
import { currentMs } from "#server/base/clock.ts";
import { ApiError, type Issue } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import {
  type BlockFailure,
  isFailure,
  type RunContext,
  RunFailure,
  stepPath,
} from "#server/runs/run-context.ts";
import { fillerOf } from "./fill.ts";
import type { Fill, WorkflowInput } from "./frame.ts";
import { stepIdIn } from "./nested-steps.ts";
import { runWorkflow } from "./run-workflow.ts";
import type { Step } from "./schema.ts";

/** The time limit for reaching the step, in seconds. */
const SECONDS = 10;
/** The maximum number of steps, items and iterations before it. */
const MAX_VISITED = 20_000;
/** Yields to other calls after this many of them. */
const VISITED_AT_ONCE = 100;

/** An earlier run: its context, and the outputs of its steps. */
export interface EarlierRun extends Pick<RunContext<WorkflowInput>, "id" | "input" | "caller"> {
  /** Returns a step's output by its journal name; null if the run has none. */
  answerOf(name: string): { output: unknown } | null;
}

/** The wanted step: the one at the path or, without a path, the first with its id. */
export interface WantedStep {
  step: Pick<Step, "id" | "type">;
  path: string | null;
}

/** A step as it would be executed. */
export interface ReachedStep {
  path: string;
  /** Its fields with expressions replaced by values; null if one failed. */
  fields: Record<string, unknown> | null;
  /** The decision of a nesting step; null for any other. */
  decision: unknown;
  /** The expression that failed, of this step or of one that holds it. */
  issues: Issue[];
}

/** Thrown at the wanted step to leave the workflow. */
class Reached extends Error {}

/** Thrown at a step without an output in the earlier run. */
class Unanswered extends Error {
  readonly path: string;

  constructor(name: string) {
    super(`${name} has no answer.`);
    this.path = stepPath(name);
  }
}

/**
 * Walks through the workflow of an earlier run, using the outputs of its steps, up to a step whose expressions it
 * evaluates; nothing is executed. Refuses with `state_conflict` if the run did not get there.
 */
export async function reachStep(earlier: EarlierRun, wanted: WantedStep): Promise<ReachedStep> {
  const fields: Record<string, unknown> = {};
  const until = performance.now() + SECONDS * 1000;
  let at = wanted.path ?? wanted.step.id;
  let reached: ReachedStep | undefined;
  let visited = 0;
  /** Set if the walk is too long. */
  let tooFar: ApiError | undefined;
  const run = contextOf();
  const evaluate = fillerOf(run);

  try {
    await runWorkflow(run, fill);
  } catch (reason) {
    if (reached) return reached;
    if (tooFar) throw tooFar;
    if (reason instanceof Unanswered)
      throw new ApiError(
        "state_conflict",
        `Run ${earlier.id} has no output of ${reason.path}, which comes before. Choose a run that got further.`,
      );
    const issues = issuesOf(reason);
    if (issues) return { path: at, fields: null, decision: null, issues };
    if (!(reason instanceof RunFailure)) throw reason;
  }
  throw new ApiError(
    "state_conflict",
    `Run ${earlier.id} did not come to ${wanted.path ?? wanted.step.id}. Choose a run that took another way.`,
  );

  function isWanted(name: string): boolean {
    const path = stepPath(name);
    if (wanted.path === null) return stepIdIn(path) === wanted.step.id;
    // The condition of a while step is evaluated in its iterations.
    return path === wanted.path || path.replace(/\[\d+\]$/, "") === wanted.path;
  }

  /** True if the walk has ended, which no `try` step catches. */
  function isOver(): boolean {
    return reached !== undefined || tooFar !== undefined;
  }

  function reach(path: string, decision: unknown = null): never {
    reached = { path: stepPath(path), fields, decision, issues: [] };
    throw new Reached();
  }

  /** Counts a step, an item or an iteration: nothing else bounds a workflow that was never run. */
  async function visit(): Promise<void> {
    visited += 1;
    if (visited > MAX_VISITED || performance.now() > until) {
      tooFar ??= new ApiError(
        "query_limit_exceeded",
        `The way to ${wanted.step.id} takes more than ${SECONDS} s, or more than ${MAX_VISITED} steps and items.`,
      );
      throw tooFar;
    }
    if (visited % VISITED_AT_ONCE === 0) await setImmediate();
  }

  /** Evaluates the fields of the wanted step, and the decisions on the way to it. */
  async function fill(...[template, path, frame, field = ""]: Parameters<Fill>): Promise<unknown> {
    await visit();
    const isThis = isWanted(path);
    // The fields of a single step, or the output: a step with an output is not evaluated again.
    if (!isThis && field === "") throw new Unanswered(path);
    at = stepPath(path);
    const value = await evaluate(template, path, frame, field);
    if (!isThis) return value;
    if (field === "") Object.assign(fields, value);
    else fields[field.slice(1)] = value ?? null;
    return field === "" || wanted.step.type === "while" ? reach(path) : value;
  }

  function contextOf(): RunContext<WorkflowInput> {
    const { answerOf, ...known } = earlier;
    const recorded = (name: string) => (isWanted(name) ? null : answerOf(name));
    async function answered<T>(name: string): Promise<T> {
      const answer = recorded(name);
      if (!answer) throw new Unanswered(name);
      return answer.output as T;
    }
    return {
      ...known,
      signal: AbortSignal.timeout(SECONDS * 1000),
      connectionId: null,
      workflow: null,
      now: currentMs,
      recorded,
      begun: () => false,

      async step<T>(name: string, work: Parameters<RunContext["step"]>[1]) {
        const answer = recorded(name);
        if (answer) return answer.output as T;
        // The work of a nesting step or of a failed expression: it decides or throws, without effects.
        const decision = await (work as () => Promise<T>)();
        if (isWanted(name) && wanted.step.type !== "while") reach(name, decision);
        return decision;
      },

      async note<T>(name: string, decide: () => Promise<T>) {
        const answer = wanted.step.type === "while" ? recorded(name) : answerOf(name);
        return answer ? (answer.output as T) : decide();
      },

      async attempt(name, nth, _, work) {
        if (answerOf(`${stepPath(name)}:attempt${nth}`)) return null;
        return { value: await work() };
      },

      async guard(name, _, work) {
        const failure = answerOf(`${name}:failed`)?.output as BlockFailure | undefined;
        if (!failure) return { value: await work(false), failure: null };
        await work(false).catch((reason) => {
          if (isOver() || !(isFailure(reason) || reason instanceof Unanswered)) throw reason;
        });
        const { code, message, step } = failure;
        return { value: null, failure: { code, message, step }, reason: new RunFailure(code, message) };
      },

      async map(items, _, work) {
        const results = [];
        const faults: unknown[] = [];
        for (const [index, item] of items.entries()) {
          await visit();
          const result = await work(item, index).catch((reason) => {
            if (isOver()) throw reason;
            faults.push(reason);
          });
          results.push(result as Awaited<ReturnType<typeof work>>);
        }
        if (faults.length > 0) throw faults[0];
        return results;
      },

      callbackAddress: async () => `${platform().settings.baseUrl}/resume/…`,
      call: answered,
      child: answered,
      effect: answered,
      awaitEvent: answered,
      awaitCallback: answered,
      approval: answered,
      artifact: answered,
      wait: answered,
      pause: answered,
      log: async () => undefined,
      progress: async () => undefined,
      charge: () => undefined,
    };
  }
}

/** Returns the faults of a failed expression; null for any other error. */
function issuesOf(reason: unknown): Issue[] | null {
  if (!(reason instanceof ApiError)) return null;
  if (reason.code === "invalid_request") return reason.details.issues ?? null;
  return reason.code === "query_limit_exceeded" ? [{ path: "", message: reason.message }] : null;
}
