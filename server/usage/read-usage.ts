import { sql } from "drizzle-orm";
import { z } from "zod";
import { actorIdOf, consoleReads, readingOperations } from "#server/audit/queries.ts";
import { NIL_UUID, uuidOf } from "#server/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { idFilter } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { PeriodQuery, refuseReversed } from "#server/operation/period.ts";
import { platform } from "#server/platform.ts";
import { USAGE_GROUPS, Usage } from "./schema.ts";

const DEFAULT_PERIOD_MS = 30 * 86_400_000;
const MAX_GROUPS = 1000;
const COUNTS = ["requests", "errors", "limited", "chargedCredits"] as const;

type Group = z.input<typeof Usage>["groups"][number];
/** A row of `usage_by`: its counts are bigints. */
type GroupRow = Omit<Group, (typeof COUNTS)[number]> & Record<(typeof COUNTS)[number], string>;

export const readUsage = operation({
  id: "usage.read",
  method: "GET",
  path: "/usage",
  summary: "Read usage",
  description:
    "Requests and charged credits, exact to the last answered request; by default those of the last 30 days, by day.",
  scope: "usage:read",
  query: z.object({
    ...PeriodQuery.shape,
    projectId: idFilter("project").optional().describe("Only calls made in this project."),
    consoleReads: consoleReads.describe("Whether what members only looked at in the console is counted too."),
    groupBy: z.enum(USAGE_GROUPS).default("day").describe("What the groups are."),
  }),
  output: z.object({ usage: Usage }),

  async handler({ query, caller, db, request }) {
    const now = request.at.toISOString();
    const to = query.to ?? now;
    const from = query.from ?? new Date(Math.max(0, Date.parse(to) - DEFAULT_PERIOD_MS)).toISOString();
    refuseReversed(from, to);
    // Nothing happens after now: without an end, the present hour is read as it was counted.
    const end = to < now ? to : null;
    const leftOut = query.consoleReads === "exclude" ? readingOperations() : [];
    const rows = await db.execute<GroupRow & Record<string, unknown>>(sql`
      select key, requests, errors, limited, charged_credits as "chargedCredits", p50_ms as "p50Ms", p95_ms as "p95Ms"
      from usage_by(${uuidOf("account", caller.accountId)}, ${from}, ${end}, ${projectOf(caller, query.projectId)},
        ${endUserOf(caller)}, ${query.groupBy}, ${JSON.stringify(servicesByOperation())},
        ${JSON.stringify(leftOut)})`);
    const groups = rows.map((row) => toGroup(row, query.groupBy));
    const byDay = query.groupBy === "day";
    groups.sort((a, b) => (byDay ? 0 : b.requests - a.requests) || ((a.key ?? "") < (b.key ?? "") ? -1 : 1));
    return { usage: { from, to, totals: totalsOf(groups), groups: groups.slice(0, MAX_GROUPS) } };
  },
});

/** The UUID of the project to look at, null for all; one that the caller does not see has nothing. */
function projectOf({ project }: Caller, filter = project?.id): string | null {
  if (filter === undefined) return null;
  return project && project.id !== filter ? NIL_UUID : uuidOf("project", filter);
}

/** The UUID of the end user to look at, null for all; one that the platform has not seen yet has nothing. */
function endUserOf({ endUser }: Caller): string | null {
  return endUser && (endUser.id === null ? NIL_UUID : uuidOf("endUser", endUser.id));
}

/** Of which service each operation is, where its selector does not say so. */
function servicesByOperation(): Record<string, string> {
  const fixed = platform().operations.filter((operation) => typeof operation.service === "string");
  return Object.fromEntries(fixed.map((operation) => [operation.id, operation.service as string]));
}

function toGroup(row: GroupRow, groupBy: (typeof USAGE_GROUPS)[number]): Group {
  const [type, uuid] = groupBy === "key" ? (row.key ?? "").split(".") : [];
  return {
    ...row,
    key: uuid ? actorIdOf(type as "key" | "member" | "system", uuid) : row.key,
    ...mapCounts((count) => Number(row[count])),
  };
}

function totalsOf(groups: Group[]) {
  return mapCounts((count) => groups.reduce((total, group) => total + group[count], 0));
}

function mapCounts(value: (count: (typeof COUNTS)[number]) => number) {
  return Object.fromEntries(COUNTS.map((count) => [count, value(count)])) as Record<
    (typeof COUNTS)[number],
    number
  >;
}
