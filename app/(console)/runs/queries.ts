import { choicesQuery } from "#components/form/choices-query.ts";
import {
  defineList,
  endUser,
  linked,
  oneOf,
  onOff,
  period,
  search,
  text,
  type Values,
  wordsOf,
} from "#components/table/list.ts";
import type { Filters } from "#components/table/use-filters.ts";
import type { Run as WholeRun } from "#server/runs/schema.ts";
import { RUN_STATUSES } from "#server/runs/statuses.ts";

/** A run in the browser: in fields with arbitrary JSON, JSON has no undefined. */
export type Run = Omit<WholeRun, "input" | "result"> & { input?: unknown; result?: unknown };

export const statuses = wordsOf(RUN_STATUSES);

export const runList = defineList(
  "runs",
  {
    search,
    status: oneOf("Status", statuses),
    serviceId: { kind: "service", label: "Service" },
    tag: text("Tag", 64),
    parentId: text("Started by run", 64),
    retryOf: linked("Retries of"),
    triggerId: linked("Trigger"),
    workflowId: linked("Stored workflow"),
    endUser,
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

const contrary: Partial<Record<string, string>> = { status: "failures", failures: "status" };

/** "Only failures" is a status, too: setting one of the two filters clears the other. */
export const withOneStatus = (filters: Filters<string>): Filters<string> => ({
  ...filters,
  set(name, value) {
    const other = contrary[name];
    if (value && other && filters.values[other]) filters.set(other, "");
    filters.set(name, value);
  },
});

/** The newest runs that match the filters, for the strip of outcomes; of one project, if it is named. */
export const stripQuery = ({ projectId, ...filters }: Values) => ({
  ...runList.query(filters),
  ...(projectId && { projectId }),
  limit: 60,
});

/** True if the run's state can still change. */
export function isLive({ finishedAt }: Pick<Run, "finishedAt">): boolean {
  return finishedAt === null;
}

/** Returns the capabilities that can be run, or those with these ids. */
export const runnable = (search = "") => ({
  ...choicesQuery(search.trim().slice(0, 200)),
  mode: "run" as const,
});

/** Returns a run's title: its subject, or else its operation. */
export function nameOf({
  name,
  serviceId,
  operationId,
}: Pick<Run, "name" | "serviceId" | "operationId">): string {
  return name ?? `${serviceId} ${operationId}`;
}

/** Returns the query for the newest runs that a run's steps started. */
export const childrenOf = (runId: string) => ({ parentId: runId, timeline: "exclude" as const, limit: 100 });

/** Returns the query for a run's retries. */
export const retriesOf = (runId: string) => ({ retryOf: runId, timeline: "exclude" as const, limit: 10 });
