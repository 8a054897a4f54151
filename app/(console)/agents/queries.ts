import { defineList, oneOf, period, search, wordsOf } from "#components/table/list.ts";
import type { Run } from "#server/runs/schema.ts";
import { RUN_STATUSES } from "#server/runs/statuses.ts";

/** A run as the console gets it: what may be anything, JSON may leave out. */
export type ShownRun = Omit<Run, "input" | "result"> & Partial<Pick<Run, "input" | "result">>;

/** Among all runs, those of agents. */
export const agentList = defineList(
  "agents",
  { search, status: oneOf("Status", wordsOf(RUN_STATUSES)), ...period },
  ["createdAt"],
).asking((query) => ({
  ...query,
  total: "include" as const,
  serviceId: "managed-agents",
  timeline: "exclude" as const,
}));

/** What the agent was asked; null once a privacy tier has purged it. */
export function taskOf({ input }: Pick<ShownRun, "input">): string | null {
  return typeof input === "object" && input !== null && "input" in input ? String(input.input) : null;
}

/** Whether nothing more will happen in it. */
export const hasEnded = ({ status }: Pick<Run, "status">) =>
  ["succeeded", "failed", "cancelled", "expired"].includes(status);
