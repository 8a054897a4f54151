import type { RunContext } from "#server/runs/run-context.ts";
import type { Step, Workflow } from "./schema.ts";

export interface WorkflowInput {
  workflow: Workflow;
  input?: unknown;
}

/** The scope of a step's expressions, its deadline, and whether it may begin. */
export interface Frame {
  steps: Record<string, unknown>;
  item?: unknown;
  index?: number;
  /** The output of the previous iteration. */
  last?: unknown;
  /** The failure of a `try` step's steps. */
  error?: { code: string; message: string; step: string | null };
  /** The callback of the step, if it has one. */
  callback?: { url: string };
  /** In Unix milliseconds; null: none. */
  deadline: number | null;
  bounds: Bounds | null;
}

/**
 * Whether the steps of a block may run. `ending`: a parallel branch has failed, so no step begins and sent requests are
 * awaited. `over`: the block has failed for good, and only the journal is read.
 */
export interface Bounds {
  state: "open" | "ending" | "over";
  around: Bounds | null;
}

/** Returns the narrowest state of a step's bounds. */
export function stateOf({ bounds }: Pick<Frame, "bounds">): Bounds["state"] {
  let state: Bounds["state"] = "open";
  for (let one = bounds; one; one = one.around) {
    if (one.state === "over") return "over";
    if (one.state === "ending") state = "ending";
  }
  return state;
}

/** Replaces the expressions of a template by values. `field` is its place below the step. */
export type Fill = (template: unknown, path: string, frame: Frame, field?: string) => Promise<unknown>;

/** The functions with which nesting steps are run. */
export interface Runner {
  run: RunContext<WorkflowInput>;
  fill: Fill;
  runSteps(steps: readonly Step[], within: string, frame: Frame): Promise<unknown>;
}
