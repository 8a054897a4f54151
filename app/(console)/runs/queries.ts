import type { Run as WholeRun } from "#server/runs/schema.ts";

/** A run as the browser has it: of what may be any JSON, nothing is undefined there. */
export type Run = Omit<WholeRun, "input" | "result"> & { input?: unknown; result?: unknown };

export const filterNames = ["status", "serviceId", "failures"] as const;

export type RunFilters = Record<(typeof filterNames)[number], string>;

export const statuses = [
  { value: "queued", label: "Queued" },
  { value: "running", label: "Running" },
  { value: "awaiting_approval", label: "Awaiting approval" },
  { value: "cancelling", label: "Cancelling" },
  { value: "cancelled", label: "Cancelled" },
  { value: "succeeded", label: "Succeeded" },
  { value: "failed", label: "Failed" },
  { value: "expired", label: "Expired" },
] as const;

/** What the list asks for. An address may hold anything; what is no status is no filter. */
export function runsQuery({ status, serviceId, failures }: RunFilters, cursor?: string) {
  const wanted = statuses.find(({ value }) => value === (failures === "on" ? "failed" : status))?.value;
  return { ...(wanted && { status: wanted }), ...(serviceId && { serviceId }), ...(cursor && { cursor }) };
}

/** Whether something may still happen in it. */
export function isLive({ finishedAt }: Pick<Run, "finishedAt">): boolean {
  return finishedAt === null;
}

/** The capabilities that can be run. */
export const runnable = { mode: "run" as const, limit: 100 };
