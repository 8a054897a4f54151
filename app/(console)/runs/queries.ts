import { choicesQuery } from "#components/form/choices-query.ts";
import {
  defineList,
  oneOf,
  onOff,
  period,
  search,
  text,
  type Values,
  wordsOf,
} from "#components/table/list.ts";
import type { Run as WholeRun } from "#server/runs/schema.ts";
import { RUN_STATUSES } from "#server/runs/statuses.ts";

/** A run as the browser has it: of what may be any JSON, nothing is undefined there. */
export type Run = Omit<WholeRun, "input" | "result"> & { input?: unknown; result?: unknown };

export const statuses = wordsOf(RUN_STATUSES);

export const runList = defineList(
  "runs",
  {
    search,
    status: oneOf("Status", statuses),
    serviceId: { kind: "service", label: "Service" },
    tag: text("Tag", 64),
    failures: onOff("Only failures"),
    ...period,
  },
  ["createdAt"],
).asking(({ failures, ...query }) => ({
  ...query,
  total: "include" as const,
  ...(failures && { status: "failed" as const }),
  timeline: "exclude" as const,
}));

/** The newest runs that the filters let through, for the strip of outcomes; of one project, where it is named. */
export const stripQuery = ({ projectId, ...filters }: Values) => ({
  ...runList.query(filters),
  ...(projectId && { projectId }),
  limit: 60,
});

/** Whether something may still happen in it. */
export function isLive({ finishedAt }: Pick<Run, "finishedAt">): boolean {
  return finishedAt === null;
}

/** The capabilities that can be run, or those of them that are called so. */
export const runnable = (search = "") => ({
  ...choicesQuery(search.trim().slice(0, 200)),
  mode: "run" as const,
});

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
