import type { ShownRun } from "#app/(console)/agents/queries.ts";
import type { AgentResponse, AgentStep } from "#server/agents/schema.ts";

/** The steps of a run that a tool call consists of. */
export type ToolStep = {
  tool: string;
  /** The step of the model call that asked for it. */
  model: string;
  /** Its place among the calls that the model asked for at once. */
  place: number;
  /** Its number: that of the model call, and its own among the calls that the model asked for at once. */
  nth: string;
  /** The step that makes it. */
  name: string;
  /** Why it was not made, or failed; null if the timeline has no such entry. */
  failure: string | null;
};

const TOOL = /^tool (\d+)\.(\d+), ([^,]+)/;

/** A call of the model, by its number, with the tool calls that it asked for. */
type ModelCall = {
  nth: number;
  /** What it answered; undefined in a run without a result. */
  step: AgentStep | undefined;
  tools: ToolStep[];
};

/** Returns the model calls of a run: those of its result or, without one, those whose tool calls its timeline names. */
export function modelCallsOf(run: ShownRun): ModelCall[] {
  const { steps = [] } = (run.result ?? {}) as Partial<AgentResponse>;
  if (steps.length > 0)
    return steps.map((step, before) => ({
      nth: before + 1,
      step,
      tools: step.toolCalls.map(({ tool }, place) => toolStepOf(run, before + 1, place, tool)),
    }));
  const found = new Map<number, ToolStep[]>();
  for (const { step } of run.timeline) {
    const [, model, nth, tool] = TOOL.exec(step ?? "") ?? [];
    if (tool === undefined) continue;
    const place = Number(nth) - 1;
    const tools = found.get(Number(model)) ?? [];
    if (tools.some((each) => each.place === place)) continue;
    found.set(Number(model), [...tools, toolStepOf(run, Number(model), place, tool)]);
  }
  return [...found].map(([nth, tools]) => ({
    nth,
    step: undefined,
    // Calls made at once begin in any order.
    tools: tools.toSorted((one, other) => one.place - other.place),
  }));
}

/** Returns the steps of a tool call: of the model call with this number, at this place among its calls. */
function toolStepOf({ timeline }: ShownRun, modelCall: number, place: number, tool: string): ToolStep {
  const nth = `${modelCall}.${place + 1}`;
  const name = `tool ${nth}, ${tool}`;
  const failed = timeline.findLast(
    ({ step, level }) => level === "error" && (step === name || step?.startsWith(`${name}, `)),
  );
  return { tool, model: `model ${modelCall}`, place, nth, name, failure: failed?.message ?? null };
}
