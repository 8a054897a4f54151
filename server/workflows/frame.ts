import type { RunContext } from "#server/runs/run-context.ts";
import type { Fill } from "./fill.ts";
import type { Step, Workflow } from "./schema.ts";

export interface WorkflowInput {
  workflow: Workflow;
  input?: unknown;
}

/** What the expressions of a step see, by when it has to be done, and whether it may begin. */
export interface Frame {
  steps: Record<string, unknown>;
  item?: unknown;
  index?: number;
  /** The output of the iteration before. */
  last?: unknown;
  /** What the steps of a `try` have failed with. */
  error?: { code: string; message: string; step: string | null };
  /** Of a step that is called back. */
  callback?: { url: string };
  /** Unix milliseconds; null: whenever. */
  deadline: number | null;
  bounds: Bounds | null;
}

/**
 * What the steps of a block may do. `ending`: a branch beside them has failed, so that none begins any more and what was sent
 * is waited for. `over`: their block has failed for good, and only the journal says what they have done.
 */
export interface Bounds {
  state: "open" | "ending" | "over";
  around: Bounds | null;
}

/** The narrowest state of a step's bounds. */
export function stateOf({ bounds }: Pick<Frame, "bounds">): Bounds["state"] {
  let state: Bounds["state"] = "open";
  for (let one = bounds; one; one = one.around) {
    if (one.state === "over") return "over";
    if (one.state === "ending") state = "ending";
  }
  return state;
}

/** What steps that hold others are run with. */
export interface Runner {
  run: RunContext<WorkflowInput>;
  fill: Fill;
  runSteps(steps: readonly Step[], within: string, frame: Frame): Promise<unknown>;
}
