import { defined } from "#server/base/defined.ts";
import type { Issue } from "#server/operation/errors.ts";
import { nestedSteps, stepIdIn } from "./nested-steps.ts";
import type { Step, Workflow } from "./schema.ts";

interface StepPosition {
  /** Within the workflow. */
  path: string;
  id: string;
  type: Step["type"] | "a branch";
  /**
   * The outermost enclosing map, loop or parallel step, whose other items, iterations or branches may have got further.
   */
  spread: string | null;
}

/** Yields steps and branches in written order, nested ones after their step. */
function* placesOf(steps: readonly Step[], path: string, spread: string | null): Generator<StepPosition> {
  for (const [nth, step] of steps.entries()) {
    const here = `${path}.${nth}`;
    yield { path: here, id: step.id, type: step.type, spread };
    const isSpread = step.type === "map" || step.type === "while" || step.type === "parallel";
    const inside = isSpread ? (spread ?? step.id) : spread;
    for (const [which, { path: list, steps }] of nestedSteps(step).entries()) {
      const branch = step.type === "parallel" ? step.branches[which] : undefined;
      if (branch)
        yield { path: `${here}.branches.${which}`, id: branch.id, type: "a branch", spread: inside };
      yield* placesOf(steps, `${here}.${list}`, inside);
    }
  }
}

/**
 * Returns the first differing step whose output a retry would keep: the steps before `fromStep` and, if that is within
 * a map, a loop or a parallel step, all of that step, since other items, iterations or branches may have got further.
 */
export function compareSteps(before: Workflow, now: Workflow, fromStep: string): Issue[] {
  const was = [...placesOf(before.steps, "steps", null)];
  const is = [...placesOf(now.steps, "steps", null)];
  const id = stepIdIn(fromStep);
  const at = id === null ? was.length : was.findIndex((place) => place.id === id);
  const spread = was[at]?.spread ?? null;
  const kept = (places: StepPosition[]) =>
    places.filter((place, nth) => nth <= at || (spread !== null && place.spread === spread));
  const [keptBefore, keptNow] = [kept(was), kept(is)];
  for (let nth = 0; nth < Math.max(keptBefore.length, keptNow.length); nth++) {
    const [one, other] = [keptBefore[nth], keptNow[nth]];
    const isSame = one?.path === other?.path && one?.id === other?.id;
    // The step itself is executed again, so it may have changed, unless other items of its map keep their output.
    if (isSame && (one?.type === other?.type || (nth === at && spread === null))) continue;
    return [{ path: (other ?? one)?.path ?? "steps", message: messageOf(one, other, fromStep) }];
  }
  return [];
}

function messageOf(one: StepPosition | undefined, other: StepPosition | undefined, fromStep: string): string {
  const nameOf = ({ id, type }: StepPosition) => `"${id}" (${type})`;
  const difference = !other
    ? `${nameOf(defined(one))} is missing here`
    : one
      ? `${nameOf(other)} stands where ${nameOf(one)} stood`
      : `${nameOf(other)} is new here`;
  return `${difference}, but a retry from ${fromStep} keeps the steps before it. Leave those steps with their id, type and order, or retry from an earlier one.`;
}
