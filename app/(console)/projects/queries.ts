import { usageQueries } from "#app/(console)/usage/queries.ts";

export const filterNames = ["status"] as const;

export const statuses = [
  { value: "active", label: "Active" },
  { value: "archived", label: "Archived" },
] as const;

/** What the list asks for. An address may hold anything; what is no status is no filter. */
export function projectsQuery({ status }: { status: string }, cursor?: string) {
  const wanted = statuses.find(({ value }) => value === status)?.value;
  return { ...(wanted && { status: wanted }), ...(cursor && { cursor }) };
}

const GLANCE = 5;

/** The newest keys that are bound to a project. */
export const keysOf = (projectId: string) => ({ projectId, limit: GLANCE });

/** What a project's page shows of the rest: the newest of each, and its last 30 days. */
export function glanceOf(projectId: string) {
  const newest = { projectId, limit: GLANCE };
  const { period, overTime, perGroup } = usageQueries({
    period: "",
    from: "",
    to: "",
    projectId,
    by: "service",
  });
  return {
    period,
    overTime,
    perService: perGroup,
    runs: { ...newest, timeline: "exclude" as const },
    failures: { ...newest, status: "failed" as const, timeline: "exclude" as const },
    files: newest,
    wallets: newest,
  };
}
