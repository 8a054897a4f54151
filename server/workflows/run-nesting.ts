import { ApiError } from "#server/operation/errors.ts";
import { Abandoned, isFailure } from "#server/runs/run-context.ts";
import { type Bounds, type Frame, type Runner, stateOf } from "./frame.ts";
import { WORKFLOW_LIMITS } from "./limits.ts";
import { runTry } from "./run-try.ts";
import type { BranchStep, MapStep, NestingStep, ParallelStep, WhileStep } from "./schema.ts";

/** Runs a step that holds other steps, once, and returns its output. */
export async function runNesting(
  runner: Runner,
  step: NestingStep,
  path: string,
  frame: Frame,
): Promise<unknown> {
  const { run } = runner;
  if (stateOf(frame) !== "open" && !run.recorded(path)) throw new Abandoned(path);
  const { timeoutSeconds } = step;
  const own =
    timeoutSeconds === undefined
      ? null
      : await run.note(`${path}:deadline`, async () => run.now() + timeoutSeconds * 1000);
  const inner = { ...frame, deadline: soonest(own, frame.deadline) };
  switch (step.type) {
    case "branch":
      return runBranch(runner, step, path, inner);
    case "map":
      return runMap(runner, step, path, inner);
    case "parallel":
      return runParallel(runner, step, path, inner);
    case "while":
      return runWhile(runner, step, path, inner);
    case "try":
      return runTry(runner, step, path, { tried: inner, around: frame });
  }
}

async function runBranch(runner: Runner, step: BranchStep, path: string, frame: Frame): Promise<unknown> {
  const recorded = runner.run.recorded(path)?.output as { case: number } | undefined;
  const chosen = recorded ?? (await decide(runner, step, path, frame));
  return runner.runSteps(step.cases[chosen.case]?.steps ?? step.else ?? [], path, frame);
}

/** Decides which case holds, -1 for none; journalled, since it may depend on the time. */
async function decide(
  { run, fill }: Runner,
  { cases }: BranchStep,
  path: string,
  frame: Frame,
): Promise<{ case: number }> {
  let found = -1;
  for (const [nth, { when }] of cases.entries()) {
    if (found === -1 && holds(await fill(when, path, frame, `.cases.${nth}.when`))) found = nth;
  }
  return run.step(path, async () => ({ case: found }));
}

async function runMap(
  { run, fill, runSteps }: Runner,
  { items, concurrency, steps }: MapStep,
  path: string,
  frame: Frame,
) {
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

/** Runs branches in parallel. None sees the others' outputs; later steps see all of them. */
async function runParallel(
  { run, runSteps }: Runner,
  { branches, concurrency = branches.length }: ParallelStep,
  path: string,
  frame: Frame,
) {
  await run.step(path, async () => ({ branches: branches.length }));
  const bounds: Bounds = { state: "open", around: frame.bounds };
  const seen = branches.map(() => ({ ...frame.steps }));
  const failures: unknown[] = [];
  try {
    const outputs = await run.map(branches, concurrency, async ({ id, steps }, nth) => {
      const own = { ...frame, bounds, steps: seen[nth] ?? {} };
      return runSteps(steps, `${path}[${id}]`, own).catch((reason) => {
        if (isFailure(reason)) {
          failures.push(reason);
          bounds.state = "ending";
        }
        throw reason;
      });
    });
    return Object.fromEntries(branches.map(({ id }, nth) => [id, outputs[nth]]));
  } catch (reason) {
    // The first failure is the cause, not the `Abandoned` of the other branches.
    throw failures[0] ?? reason;
  } finally {
    Object.assign(frame.steps, ...seen);
  }
}

async function runWhile(runner: Runner, step: WhileStep, path: string, frame: Frame): Promise<unknown> {
  const { run, runSteps } = runner;
  const { maxIterations, steps } = step;
  await run.step(path, async () => null);
  let last: unknown;
  for (let index = 0; ; index++) {
    const here = `${path}[${index}]`;
    const around = { ...frame, index, last };
    if (!(await goesOn(runner, step, here, around))) return last ?? null;
    if (index === maxIterations)
      return run.step(`${path}:bound`, async () => {
        throw new ApiError(
          "query_limit_exceeded",
          `${path}.when still holds after ${maxIterations} iterations, the most that the step may have.`,
        );
      });
    last = await runSteps(steps, here, { ...around, steps: { ...frame.steps } });
  }
}

/** Decides whether another iteration begins; noted, so that a replay need not evaluate it again. */
async function goesOn(
  { run, fill }: Runner,
  { when }: WhileStep,
  iteration: string,
  frame: Frame,
): Promise<boolean> {
  const name = `${iteration}:when`;
  const noted = run.recorded(name);
  if (noted) return noted.output === true;
  if (stateOf(frame) !== "open") throw new Abandoned(iteration);
  return run.note(name, async () => holds(await fill(when, iteration, frame, ".when")));
}

function soonest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/** True by JSONata's rules: nothing and empty values are false. */
function holds(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** Returns a list: JSONata unwraps a list of one element, and turns an empty one into nothing. */
function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}
