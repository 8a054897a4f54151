import type { z } from "zod";
import type { Issue } from "#server/operation/errors.ts";
import { issuesOf } from "#server/operation/input.ts";
import { issueText } from "#server/operation/issue-text.ts";
import { AwaitedEvents, isPlatforms } from "#server/sent-events/schema.ts";
import { nestedSteps } from "./nested-steps.ts";
import type { Step } from "./schema.ts";

/** The events that a step awaits, with expressions evaluated, or the fault of one. */
export function awaitedOf(
  step: Extract<Step, { type: "await" }>,
  filled: unknown,
): { events: z.output<typeof AwaitedEvents>; fault?: Issue } {
  const isUnknown = (name: unknown, nth: number) =>
    isPlatforms(String(name)) && name !== step.events[nth]?.name;
  const unknown = (filled as { name?: unknown }[]).findIndex(({ name }, nth) => isUnknown(name, nth));
  if (unknown >= 0)
    return {
      events: [],
      fault: { path: `events.${unknown}.name`, message: "An expression names no event of the platform." },
    };
  const list = (filled as { key?: unknown }[]).map(({ key, ...event }, nth) => {
    // If an expression for the key selects nothing, any key would match.
    if (step.events[nth]?.key === undefined) return event;
    return { ...event, key: typeof key === "string" ? key : key == null ? "" : JSON.stringify(key) };
  });
  const parsed = AwaitedEvents.safeParse(list, { error: issueText });
  if (parsed.success) return { events: parsed.data };
  return { events: [], fault: issuesOf(parsed.error, "events")[0] ?? { path: "events", message: "" } };
}

/** True if a step awaits a platform event. */
export function awaitsPlatform(steps: readonly Step[]): boolean {
  return steps.some((step) => {
    if (step.type === "await") return step.events.some(({ name }) => isPlatforms(name));
    return nestedSteps(step).some(({ steps }) => awaitsPlatform(steps));
  });
}
