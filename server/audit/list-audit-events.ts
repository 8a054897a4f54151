import { and, eq, gt, inArray, not, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { auditEvents } from "#db/schema/audit.ts";
import { uuidOf } from "#server/base/ids.ts";
import { endUserFilter, findEndUserId } from "#server/operation/end-user-filter.ts";
import { exampleId, idFilter } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { nextCursor, PageQuery, pageOf } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
import { visible } from "#server/operation/tenancy.ts";
import { openLines } from "./archive/archived-events.ts";
import { isTooRecent } from "./archive/readable-events.ts";
import { searchArchives } from "./archive/search-archives.ts";
import { outcomeOf } from "./outcomes.ts";
import { consoleReads, readingOperations, selectEvents, toAuditEvent } from "./queries.ts";
import { AuditEvent, statusFilter } from "./schema.ts";

/** How many events one page with a `status` looks at: no index finds the events of a rare status. */
const MOST_LOOKED_AT = 10_000;

export const listAuditEvents = operation({
  id: "auditEvents.list",
  method: "GET",
  path: "/audit-events",
  summary: "List audit events",
  description:
    "Every authenticated request of the account, newest first: allowed, denied and failed ones. Events of past months are in an archive: a page of them can have fewer events than `limit`, or none, and still a `nextCursor`; so can a page of one `status`. A caller that is bound to a project or an end user, or selects one, sees only their events.",
  scope: "audit:read",
  mayLag: true,
  query: PageQuery.extend({
    operation: z
      .string()
      .max(300)
      .optional()
      .meta({ description: "Only calls of this operation.", examples: ["projects.create"] }),
    outcome: AuditEvent.shape.outcome.optional().describe("Only calls with this outcome."),
    status: statusFilter(
      `Only calls that were answered with this HTTP status. A page looks at up to ${MOST_LOOKED_AT.toLocaleString("en")} events.`,
    ),
    keyId: idFilter("apiKey").optional().describe("Only calls by exactly this key."),
    projectId: idFilter("project").optional().describe("Only calls made in this project."),
    endUser: endUserFilter("Only calls made for"),
    ...PeriodQuery.shape,
    requestId: z
      .string()
      .max(300)
      .optional()
      .meta({
        description: "Only the call whose response has this `X-Request-Id`.",
        examples: [exampleId("request")],
      }),
    consoleReads: consoleReads.describe("Whether to include members' reads in the console."),
  }),
  output: z.object({ auditEvents: z.array(AuditEvent), nextCursor }),

  async handler({ query, caller, db }) {
    const page = pageOf("auditEvent", auditEvents.id, query);
    const endUserId =
      query.endUser === undefined ? undefined : await findEndUserId(db, caller, query.endUser);
    if (endUserId === null) return { auditEvents: [], nextCursor: null };
    const condition = allOf(
      visible(auditEvents, caller),
      query.operation === undefined ? undefined : eq(auditEvents.operation, query.operation),
      query.outcome && eq(auditEvents.outcome, query.outcome),
      // Refused and failed calls have an index.
      query.status === undefined ? undefined : eq(auditEvents.outcome, outcomeOf(query.status)),
      query.keyId
        ? and(
            eq(auditEvents.actorType, "key"),
            eq(auditEvents.actorId, sql`${uuidOf("apiKey", query.keyId)}`),
          )
        : undefined,
      query.projectId ? eq(auditEvents.projectId, query.projectId) : undefined,
      endUserId === undefined ? undefined : eq(auditEvents.endUserId, endUserId),
      within(auditEvents.id, query),
      query.requestId === undefined ? undefined : eq(auditEvents.requestId, query.requestId),
      query.consoleReads === "exclude" ? not(isConsoleRead()) : undefined,
    );
    const { status } = query;
    const beyond = status === undefined ? undefined : await firstBeyond();
    const ofStatus = allOf(
      condition,
      status === undefined ? undefined : eq(auditEvents.status, status),
      beyond === undefined ? undefined : gt(auditEvents.id, beyond),
    );
    const rows = await selectEvents(db).where(page.where(ofStatus)).orderBy(page.order).limit(page.limit);
    const recent = rows.map(toAuditEvent);
    const last = recent[page.limit - 1];
    if (beyond !== undefined || isTooRecent(last?.at) || isTooRecent(query.from)) {
      const { rows, nextCursor } = page.cut(recent);
      return {
        auditEvents: rows,
        nextCursor: nextCursor ?? (beyond === undefined ? null : page.cursorFrom(beyond)),
      };
    }
    const filter = {
      ...query,
      endUserId,
      leftOut: query.consoleReads === "exclude" ? readingOperations() : [],
    };
    const search = { before: page.before, wanted: page.limit };
    // The archives are read after the rows: an event that is archived in between is in both, never in neither.
    const { lines, searchedTo } = await searchArchives(db, caller, filter, search);
    const archived = new Map(lines.map((line) => [line.event.id, line]));
    for (const { id } of recent) archived.delete(id);
    const all = [...recent, ...[...archived.values()].map(({ event }) => event)]
      .filter(({ id }) => searchedTo === null || id > searchedTo)
      .toSorted((a, b) => (a.id < b.id ? 1 : -1));
    const { rows: shown, nextCursor } = page.cut(all);
    const opened = await openLines(
      db,
      caller.accountId,
      shown.flatMap(({ id }) => archived.get(id) ?? []),
    );
    const named = new Map(opened.map(({ event }) => [event.id, event]));
    return {
      auditEvents: shown.map((event) => named.get(event.id) ?? event),
      nextCursor: nextCursor ?? (searchedTo && page.cursorFrom(searchedTo)),
    };

    /** Returns the id of the first event that this page does not look at; undefined if it looks at all. */
    async function firstBeyond(): Promise<string | undefined> {
      const [first] = await db
        .select({ id: auditEvents.id })
        .from(auditEvents)
        .where(page.where(condition))
        .orderBy(page.order)
        .offset(MOST_LOOKED_AT)
        .limit(1);
      return first?.id;
    }
  },
});

function isConsoleRead(): SQL {
  return allOf(
    eq(auditEvents.actorType, "member"),
    eq(auditEvents.outcome, "allowed"),
    inArray(auditEvents.operation, readingOperations()),
  );
}
