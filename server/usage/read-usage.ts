import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { actorIdOf, consoleReads, readingOperations } from "#server/audit/queries.ts";
import { AuditEvent, statusFilter } from "#server/audit/schema.ts";
import { defined } from "#server/base/defined.ts";
import { idOf, NIL_UUID, uuidOf } from "#server/base/ids.ts";
import { SETTLEMENTS } from "#server/credits/settlement-event.ts";
import type { Caller } from "#server/operation/caller.ts";
import { endUserFilter, findEndUserId } from "#server/operation/end-user-filter.ts";
import { invalid } from "#server/operation/errors.ts";
import { idFilter } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { PeriodQuery, refuseReversed } from "#server/operation/period.ts";
import { platform } from "#server/platform.ts";
import { TIME_GROUPS, USAGE_GROUPS, Usage } from "./schema.ts";

const HOUR_MS = 3_600_000;
const DEFAULT_PERIOD_MS = 30 * 24 * HOUR_MS;
const MAX_GROUPS = 1000;
/**
 * Minutes are counted from events and hours are rows; these are the longest periods that one response or one read can
 * handle.
 */
const LONGEST_MS: Partial<Record<UsageGroup, { ms: number; words: string; instead: string }>> = {
  minute: { ms: 3 * HOUR_MS, words: "3 hours", instead: "hour" },
  hour: { ms: 40 * 24 * HOUR_MS, words: "40 days", instead: "day" },
};
const COUNTS = ["requests", "errors", "limited", "chargedCredits"] as const;

type UsageGroup = (typeof USAGE_GROUPS)[number];
type Group = z.input<typeof Usage>["groups"][number];
/** A row of `usage_by`, whose counts are bigints. */
type GroupRow = Omit<Group, (typeof COUNTS)[number]> &
  Record<(typeof COUNTS)[number], string> & { isTotal: boolean };

export const readUsage = operation({
  id: "usage.read",
  method: "GET",
  path: "/usage",
  summary: "Read usage",
  description:
    "Returns requests, their durations and charged credits, exact to the last completed request; by default for the last 30 days, by day. For months whose audit events may be archived, only whole hours are counted; `from` and `to` of the response are then the extended period.",
  scope: "usage:read",
  mayLag: true,
  query: z.object({
    ...PeriodQuery.shape,
    projectId: idFilter("project").optional().describe("Only calls made in this project."),
    endUser: endUserFilter("Only calls made for"),
    operation: z
      .string()
      .max(300)
      .optional()
      .meta({ description: "Only calls of this operation.", examples: ["projects.create"] }),
    keyId: idFilter("apiKey").optional().describe("Only calls by exactly this key."),
    memberId: idFilter("member").optional().describe("Only calls by this member of the account."),
    outcome: AuditEvent.shape.outcome.optional().describe("Only calls that ended like this."),
    status: statusFilter(
      "Only calls that were answered with this HTTP status. Hours from before statuses were counted are left out.",
    ),
    consoleReads: consoleReads.describe("Whether reads by members in the console are counted, too."),
    groupBy: z
      .enum(USAGE_GROUPS)
      .default("day")
      .describe(
        "The grouping. `minute` covers at most 3 hours, in months whose events can't be archived yet; `hour` at most 40 days.",
      ),
  }),
  output: z.object({ usage: Usage }),

  async handler({ query, caller, db, request }) {
    const now = request.at.toISOString();
    const asked = { to: query.to ?? now, from: query.from };
    asked.from ??= new Date(Math.max(0, Date.parse(asked.to) - DEFAULT_PERIOD_MS)).toISOString();
    refuseReversed(asked.from, asked.to);
    refuseTooLong(query.groupBy, Date.parse(asked.to) - Date.parse(asked.from));
    const { from, to } = wholeHours({ from: asked.from, to: asked.to }, query.groupBy, request.at);
    // Nothing happens after now: without an end, the current hour is read as counted so far.
    const end = to < now ? to : null;
    const leftOut = query.consoleReads === "exclude" ? readingOperations() : [];
    const endUser = await endUserOf(db, caller, query.endUser);
    const rows = await db.execute<GroupRow & Record<string, unknown>>(sql`
      select is_total as "isTotal", key, requests, errors, limited, charged_credits as "chargedCredits", p50_ms as "p50Ms",
        p95_ms as "p95Ms", p99_ms as "p99Ms"
      from usage_by(${uuidOf("account", caller.accountId)}, ${from}, ${end}, ${projectOf(caller, query.projectId)},
        ${endUser}, ${query.operation ?? null}, ${query.keyId ? uuidOf("apiKey", query.keyId) : null},
        ${query.groupBy}, ${JSON.stringify(servicesByOperation())}, ${JSON.stringify(leftOut)},
        ${query.outcome ?? null}, ${query.status ?? null}, ${query.memberId ? uuidOf("member", query.memberId) : null})`);
    const groups = rows.filter(({ isTotal }) => !isTotal).map((row) => toGroup(row, query.groupBy));
    const byTime = (TIME_GROUPS as readonly UsageGroup[]).includes(query.groupBy);
    groups.sort((a, b) => (byTime ? 0 : b.requests - a.requests) || ((a.key ?? "") < (b.key ?? "") ? -1 : 1));
    const totals = toCounted(defined(rows.find(({ isTotal }) => isTotal)));
    const truncated = groups.length > MAX_GROUPS;
    return { usage: { from, to, totals, groups: groups.slice(0, MAX_GROUPS), truncated } };
  },
});

function refuseTooLong(groupBy: UsageGroup, ms: number): void {
  const longest = LONGEST_MS[groupBy];
  if (longest && ms > longest.ms)
    throw invalid(
      "query.groupBy",
      `Grouped by ${groupBy}, a period has at most ${longest.words}. Send a shorter period, or group by ${longest.instead}.`,
    );
}

/** Extends a period to whole hours where events may be archived: of those usage is only kept by the hour. */
function wholeHours({ from, to }: { from: string; to: string }, groupBy: UsageGroup, now: Date) {
  const month = now.getUTCMonth() - platform().settings.auditArchiveMonths;
  const eventsSince = Date.UTC(now.getUTCFullYear(), month);
  if (Date.parse(from) >= eventsSince) return { from, to };
  if (groupBy === "minute")
    throw invalid(
      "query.groupBy",
      `Grouped by minute, a period begins at ${new Date(eventsSince).toISOString()} or later. Send a later from, or group by hour.`,
    );
  const hourOf = (ms: number) => new Date(ms - (ms % HOUR_MS)).toISOString();
  return {
    from: hourOf(Date.parse(from)),
    to: Date.parse(to) >= eventsSince ? to : hourOf(Date.parse(to) + HOUR_MS - 1),
  };
}

/** Returns the UUID of the project to report, null for all; a project that the caller does not see has no usage. */
function projectOf({ project }: Caller, filter = project?.id): string | null {
  if (filter === undefined) return null;
  return project && project.id !== filter ? NIL_UUID : uuidOf("project", filter);
}

/** Returns the UUID of the end user to report, null for all; one that is not stored yet has no usage. */
async function endUserOf(
  db: Db | Transaction,
  caller: Caller,
  filter: string | undefined,
): Promise<string | null> {
  const { endUser } = caller;
  if (!endUser && filter === undefined) return null;
  const id = filter === undefined ? endUser?.id : await findEndUserId(db, caller, filter);
  return id ? uuidOf("endUser", id) : NIL_UUID;
}

/** Returns the service of each operation whose selector does not name it. */
function servicesByOperation(): Record<string, string> {
  const fixed = platform().operations.filter((operation) => typeof operation.service === "string");
  const services = Object.fromEntries(fixed.map(({ id, service }) => [id, service as string]));
  const settled = Object.entries(SETTLEMENTS).flatMap(([id, requested]) => {
    const service = services[requested];
    return service === undefined ? [] : [[id, service]];
  });
  return { ...services, ...Object.fromEntries(settled) };
}

function toGroup(row: GroupRow, groupBy: UsageGroup): Group {
  return { ...toCounted(row), key: row.key && wireKey(row.key, groupBy) };
}

/** Returns the public form of a group's key: ids for UUIDs. */
function wireKey(key: string, groupBy: UsageGroup): string {
  if (groupBy === "project") return idOf("project", key);
  if (groupBy !== "key") return key;
  const [type, uuid] = key.split(".");
  return defined(actorIdOf(type as "key" | "member" | "system", uuid ?? null));
}

function toCounted({ isTotal, key, ...row }: GroupRow) {
  const counts = COUNTS.map((count) => [count, Number(row[count])]);
  return { ...row, ...(Object.fromEntries(counts) as Record<(typeof COUNTS)[number], number>) };
}
