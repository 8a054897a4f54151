import { defineList, endUser, oneOf, period, search, wordsOf } from "#components/table/list.ts";
import type { Run } from "#server/runs/schema.ts";
import { RUN_STATUSES } from "#server/runs/statuses.ts";

/** A run in the console: JSON omits `input` and `result` if they are undefined. */
export type ShownRun = Omit<Run, "input" | "result"> & Partial<Pick<Run, "input" | "result">>;

/** The list of agents' runs. */
export const agentList = defineList(
  "agents",
  { search, status: oneOf("Status", wordsOf(RUN_STATUSES)), endUser, ...period },
  ["createdAt"],
).asking((query) => ({
  ...query,
  total: "include" as const,
  serviceId: "managed-agents",
  timeline: "exclude" as const,
}));

/** Returns the agent's task; null once a privacy tier has purged it. */
export function taskOf({ input }: Pick<ShownRun, "input">): string | null {
  return typeof input === "object" && input !== null && "input" in input ? String(input.input) : null;
}

/** True if the run's state is final. */
export const hasEnded = ({ status }: Pick<Run, "status">) =>
  ["succeeded", "failed", "cancelled", "expired"].includes(status);
