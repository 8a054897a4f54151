import { and, eq, gte, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { runs, runTags } from "#db/schema/runs.ts";
import { serviceBoundary } from "#server/catalogue/queries.ts";
import { endUserFilter, ofEndUser } from "#server/operation/end-user-filter.ts";
import { idFilter, sentInstant } from "#server/operation/fields.ts";
import { matching, searchBy } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, inOrder, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { floorAfter, PeriodQuery, within } from "#server/operation/period.ts";
import { visible } from "#server/operation/tenancy.ts";
import { tag } from "./flow-schema.ts";
import { toRuns } from "./queries.ts";
import { Run } from "./schema.ts";

const taggedWith = (db: Db | Transaction, accountId: string, tag: string) =>
  db
    .select({ id: runTags.runId })
    .from(runTags)
    .where(and(eq(runTags.accountId, accountId), eq(runTags.tag, tag)));

const LIVE: readonly Run["status"][] = ["queued", "running", "awaiting_approval", "cancelling"];

/** Also says whether the run has ended: there is an index of the live runs, and one of the ended. */
const ofStatus = (status: Run["status"]) =>
  and(eq(runs.status, status), LIVE.includes(status) ? isNull(runs.finishedAt) : isNotNull(runs.finishedAt));

/** An entry of a timeline has about as many bytes at most; without timelines, each may still stand for an artifact's id. */
const ENTRY_BYTES = { include: 2048, exclude: 32 };

/** Returns at least the size of a run in a list, known without reading its content or its timeline. */
function bytesOf(timeline: keyof typeof ENTRY_BYTES): SQL<number> {
  const entries = sql`${runs.lastSeq} * ${ENTRY_BYTES[timeline]}::int`;
  return sql<number>`coalesce(octet_length(${runs.input}), 0) + coalesce(octet_length(${runs.result}), 0)
    + least(${entries}, ${runs.keptBytes})::int`;
}

export const listRuns = operation({
  id: "runs.list",
  method: "GET",
  path: "/runs",
  summary: "List runs",
  description:
    "Lists the runs of the services that the key may use, newest first. A page ends before its inputs, results and timelines would exceed about 4 MB; `nextCursor` continues there.",
  scope: "runs:read",
  query: CountedPageQuery.extend({
    status: Run.shape.status.optional().describe("Only runs with this status."),
    serviceId: z
      .string()
      .max(100)
      .optional()
      .meta({ description: "Only runs of this service.", examples: ["managed-memory"] }),
    operationId: z
      .string()
      .max(100)
      .optional()
      .meta({ description: "Only runs of this operation of a service.", examples: ["put"] }),
    projectId: idFilter("project").optional().describe("Only runs of this project."),
    endUser: endUserFilter("Only runs of"),
    parentId: idFilter("run").optional().describe("Only runs that a step of this run created."),
    retryOf: idFilter("run").optional().describe("Only retries of this run."),
    triggerId: idFilter("trigger").optional().describe("Only runs that this trigger started."),
    workflowId: idFilter("workflow").optional().describe("Only runs of this stored workflow."),
    workflowVersion: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .optional()
      .describe("Only runs of this version of a stored workflow."),
    tag: tag.optional().describe("Only runs that have this tag."),
    createdAfter: sentInstant.optional().describe("Only runs that were created after this moment."),
    search: searchBy("Only runs whose name"),
    timeline: z
      .enum(["include", "exclude"])
      .default("include")
      .describe("Whether each run comes with its timeline; without them `timeline` is empty."),
    ...PeriodQuery.shape,
    sort: sortBy(),
  }),
  output: z.object({ runs: z.array(Run), nextCursor, total }),

  async handler({ query, caller, db }) {
    const { timeline, ...filters } = query;
    const page = pageOf("run", runs.id, filters);
    const boundary = await serviceBoundary(db, caller);
    const condition = allOf(
      visible(runs, caller),
      boundary ? inArray(runs.serviceId, boundary) : undefined,
      query.status && ofStatus(query.status),
      query.serviceId === undefined ? undefined : eq(runs.serviceId, query.serviceId),
      query.operationId === undefined ? undefined : eq(runs.operationId, query.operationId),
      query.projectId === undefined ? undefined : eq(runs.projectId, query.projectId),
      ofEndUser(runs.endUserId, caller, query.endUser),
      query.parentId === undefined ? undefined : eq(runs.parentId, query.parentId),
      query.retryOf === undefined ? undefined : eq(runs.retryOf, query.retryOf),
      query.triggerId === undefined ? undefined : eq(runs.triggerId, query.triggerId),
      query.workflowId === undefined ? undefined : eq(runs.workflowId, query.workflowId),
      // The index of workflows has no run without one.
      query.workflowVersion === undefined
        ? undefined
        : and(eq(runs.workflowVersion, query.workflowVersion), isNotNull(runs.workflowId)),
      query.tag === undefined ? undefined : inArray(runs.id, taggedWith(db, caller.accountId, query.tag)),
      query.createdAfter === undefined ? undefined : gte(runs.id, floorAfter(query.createdAfter)),
      query.search === undefined
        ? undefined
        : matching(query.search, { kind: "run", id: runs.id, columns: [runs.name] }),
      within(runs.id, query),
    );
    const [live, ended] = [isNull(runs.finishedAt), isNotNull(runs.finishedAt)];
    const idsOf = (...conditions: [SQL, SQL]) =>
      db
        .select({ id: runs.id })
        .from(runs)
        .where(allOf(...conditions))
        .$dynamic();
    const firstOf = (part: SQL) => idsOf(page.where(condition), part).orderBy(page.order).limit(page.limit);
    // The index of operations has only ended runs, so that these and the live ones are read by an index each.
    const inParts = query.operationId !== undefined && query.status === undefined;
    const found = await db
      .select({ id: runs.id, bytes: bytesOf(timeline) })
      .from(runs)
      .where(
        inParts
          ? allOf(visible(runs, caller), inArray(runs.id, unionAll(firstOf(live), firstOf(ended))))
          : page.where(condition),
      )
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cutToFit(found);
    const all = () =>
      inParts
        ? unionAll(idsOf(condition, live), idsOf(condition, ended))
        : db.select().from(runs).where(condition);
    const total = await page.total(db, all, { rows, nextCursor });
    const ids = rows.map(({ id }) => id);
    const read = await db
      .select()
      .from(runs)
      .where(and(eq(runs.accountId, caller.accountId), inArray(runs.id, ids)));
    const listed = await toRuns(db, inOrder(ids, read), { timeline: timeline === "include" });
    return { runs: listed, nextCursor, total };
  },
});
