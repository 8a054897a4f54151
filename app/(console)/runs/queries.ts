import type { Run as WholeRun } from "#server/runs/schema.ts";

/** A run as the browser has it: of what may be any JSON, nothing is undefined there. */
export type Run = Omit<WholeRun, "input" | "result"> & { input?: unknown; result?: unknown };

export const filterNames = ["search", "status", "serviceId", "tag", "from", "to", "failures"] as const;

/** `projectId`: where it is not the chosen project that counts. */
export type RunFilters = Record<(typeof filterNames)[number], string> & { projectId?: string };

/** What `useFilters` says where nothing narrows the list. */
export const noFilters = Object.fromEntries(filterNames.map((name) => [name, ""])) as Record<
  (typeof filterNames)[number],
  string
>;

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

/** What the list asks for. An address may hold anything; what is no status, and no moment, is no filter. */
export function runsQuery(
  { status, failures, search, serviceId, tag, from, to, projectId }: RunFilters,
  cursor?: string,
) {
  const wanted = statuses.find(({ value }) => value === (failures === "on" ? "failed" : status))?.value;
  return {
    timeline: "exclude" as const,
    ...(wanted && { status: wanted }),
    ...(search.trim() && { search: search.trim().slice(0, 200) }),
    ...(serviceId && { serviceId }),
    ...(projectId && { projectId }),
    ...(tag.trim() && { tag: tag.trim().slice(0, 64) }),
    ...(isMoment(from) && { from }),
    ...(isMoment(to) && { to }),
    ...(cursor && { cursor }),
  };
}

/** The order that the address asks for; newest first without one. */
export const runOrder = (sort: string) => (sort === "createdAt" ? ({ sort } as const) : {});

const isMoment = (text: string) => text !== "" && !Number.isNaN(Date.parse(text)) && text.endsWith("Z");

/** The newest runs that the filters let through, for the strip of outcomes. */
export const stripQuery = (filters: RunFilters) => ({ ...runsQuery(filters), limit: 60 });

/** Whether something may still happen in it. */
export function isLive({ finishedAt }: Pick<Run, "finishedAt">): boolean {
  return finishedAt === null;
}

/** The capabilities that can be run. */
export const runnable = { mode: "run" as const, limit: 100 };

/** What a run is called: what it is about, else its operation. */
export function nameOf({
  name,
  serviceId,
  operationId,
}: Pick<Run, "name" | "serviceId" | "operationId">): string {
  return name ?? `${serviceId} ${operationId}`;
}

/** The runs that steps of a run created. */
export const childrenOf = (runId: string) => ({ parentId: runId, timeline: "exclude" as const, limit: 100 });

/** The retries of a run. */
export const retriesOf = (runId: string) => ({ retryOf: runId, timeline: "exclude" as const, limit: 10 });
