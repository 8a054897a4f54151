import { defined } from "#server/base/defined.ts";
import type { Step } from "./schema.ts";

/** A list of steps inside a step. */
export interface NestedSteps {
  /** The list's path below its step: `cases.0.steps`. */
  path: string;
  steps: readonly Step[];
}

/** Returns the lists of nested steps, in written order. */
export function nestedSteps(step: Step): NestedSteps[] {
  switch (step.type) {
    case "map":
    case "while":
      return [{ path: "steps", steps: step.steps }];
    case "branch":
      return [
        ...step.cases.map(({ steps }, nth) => ({ path: `cases.${nth}.steps`, steps })),
        { path: "else", steps: step.else ?? [] },
      ];
    case "parallel":
      return step.branches.map(({ steps }, nth) => ({ path: `branches.${nth}.steps`, steps }));
    case "try":
      return [
        { path: "steps", steps: step.steps },
        { path: "catch.steps", steps: step.catch?.steps ?? [] },
        { path: "finally", steps: step.finally ?? [] },
      ];
    default:
      return [];
  }
}

/** Yields a workflow's steps, each before its nested steps. */
export function stepsWithin(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => [step, ...nestedSteps(step).flatMap(({ steps }) => stepsWithin(steps))]);
}

/** Returns the id of the step that a journal path names: `send` of `steps.each[3].send`; null if it names none. */
export function stepIdIn(stepPath: string): string | null {
  if (!stepPath.startsWith("steps.")) return null;
  return defined(stepPath.split(".").at(-1)).replace(/\[.*\]$/, "");
}
