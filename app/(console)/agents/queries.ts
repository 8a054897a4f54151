import type { Run } from "#server/runs/schema.ts";

/** A run as the console gets it: what may be anything, JSON may leave out. */
export type ShownRun = Omit<Run, "input" | "result"> & Partial<Pick<Run, "input" | "result">>;

export const filterNames = ["status"] as const;

export const statuses = [
  { value: "running", label: "Running" },
  { value: "awaiting_approval", label: "Awaiting approval" },
  { value: "succeeded", label: "Succeeded" },
  { value: "failed", label: "Failed" },
  { value: "cancelled", label: "Cancelled" },
] as const;

/** The runs of agents. An address may hold anything; what is no status is no filter. */
export function agentRunsQuery({ status }: { status: string }, cursor?: string) {
  const wanted = statuses.find(({ value }) => value === status)?.value;
  return {
    serviceId: "managed-agents",
    timeline: "exclude" as const,
    ...(wanted && { status: wanted }),
    ...(cursor && { cursor }),
  };
}

/** What the agent was asked; null once a privacy tier has purged it. */
export function taskOf({ input }: Pick<ShownRun, "input">): string | null {
  return typeof input === "object" && input !== null && "input" in input ? String(input.input) : null;
}

/** Whether nothing more will happen in it. */
export const hasEnded = ({ status }: Pick<Run, "status">) =>
  ["succeeded", "failed", "cancelled", "expired"].includes(status);
