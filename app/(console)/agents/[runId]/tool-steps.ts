import type { ShownRun } from "#app/(console)/agents/queries.ts";

/** The steps of a run that a tool call consists of. */
export type ToolStep = {
  tool: string;
  /** The step of the model call that asked for it. */
  model: string;
  /** Its place among the calls that the model asked for at once. */
  place: number;
  /** The step that makes it. */
  name: string;
  /** Why it was not made, or failed; null if the timeline has no such entry. */
  failure: string | null;
};

const TOOL = /^tool (\d+)\.(\d+), ([^,]+)/;

/** Returns the steps of a tool call: of the model call with this number, at this place among its calls. */
export function toolStepOf({ timeline }: ShownRun, modelCall: number, place: number, tool: string): ToolStep {
  const name = `tool ${modelCall}.${place + 1}, ${tool}`;
  const failed = timeline.findLast(
    ({ step, level }) => level === "error" && (step === name || step?.startsWith(`${name}, `)),
  );
  return { tool, model: `model ${modelCall}`, place, name, failure: failed?.message ?? null };
}

/** Returns the tool calls that the timeline of a run without a result names, in order. */
export function toolStepsIn(run: ShownRun): ToolStep[] {
  const found = new Map<string, ToolStep>();
  for (const { step } of run.timeline) {
    const [, model, nth, tool] = TOOL.exec(step ?? "") ?? [];
    if (tool === undefined || found.has(`${model}.${nth}`)) continue;
    found.set(`${model}.${nth}`, toolStepOf(run, Number(model), Number(nth) - 1, tool));
  }
  return [...found.values()];
}
