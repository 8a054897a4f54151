import { usageQueries } from "#app/(console)/usage/queries.ts";
import { counted, defineList, oneOf, period, search, wordsOf } from "#components/table/list.ts";
import { PROJECT_STATUSES } from "#server/projects/statuses.ts";

export const projectList = defineList(
  "projects",
  { search, status: oneOf("Status", wordsOf(PROJECT_STATUSES)), ...period },
  ["createdAt", "name"],
).asking(counted);

const GLANCE = 5;

/** The newest keys that are bound to a project. */
export const keysOf = (projectId: string) => ({ projectId, limit: GLANCE });

/** The other contents of a project's page: the newest resources of each kind, and its last 30 days. */
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
