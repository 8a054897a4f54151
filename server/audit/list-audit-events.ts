import { and, eq, gt, inArray, lt, not, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { auditEvents } from "#db/schema/audit.ts";
import { timeOf, toUuid, uuidOf } from "#server/base/ids.ts";
import { endUserFilter, findEndUserId } from "#server/operation/end-user-filter.ts";
import { exampleId, idFilter } from "#server/operation/fields.ts";
import { searchBy } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, sortBy, type Total, total } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
import { visible } from "#server/operation/tenancy.ts";
import { openLines } from "./archive/archived-events.ts";
import { isTooRecent } from "./archive/readable-events.ts";
import { hasArchives, searchArchives } from "./archive/search-archives.ts";
import { outcomeOf } from "./outcomes.ts";
import {
  consoleReads,
  readingOperations,
  recordedOperations,
  selectEvents,
  toAuditEvent,
} from "./queries.ts";
import { AuditEvent, statusFilter } from "./schema.ts";

/**
 * How many events one page with a `status`, or of a member without their reads, or a total looks at: no index finds the
 * events of a rare status, or the few changes among a member's reads.
 */
const MAX_LOOKED_AT = 10_000;

export const listAuditEvents = operation({
  id: "auditEvents.list",
  method: "GET",
  path: "/audit-events",
  summary: "List audit events",
  description:
    "Lists every authenticated request of the account, newest first: allowed, denied and failed ones. Events of past months are in an archive: a page of them can have fewer events than `limit`, or none, and still a `nextCursor`; so can a page of one `status`, or of a member without reads in the console. `total` counts the events that are not in an archive, and says `more` if there are archives. A caller that is bound to a project or an end user, or selects one, sees only their events.",
  scope: "audit:read",
  mayLag: true,
  query: CountedPageQuery.extend({
    operation: z
      .string()
      .max(300)
      .optional()
      .meta({ description: "Only calls of this operation.", examples: ["projects.create"] }),
    outcome: AuditEvent.shape.outcome.optional().describe("Only calls with this outcome."),
    status: statusFilter(
      `Only calls that were answered with this HTTP status. A page looks at up to ${MAX_LOOKED_AT.toLocaleString("en")} events.`,
    ),
    keyId: idFilter("apiKey").optional().describe("Only calls by exactly this key."),
    memberId: idFilter("member")
      .optional()
      .describe(
        `Only calls by this member of the account. With \`consoleReads=exclude\`, a page looks at up to ${MAX_LOOKED_AT.toLocaleString("en")} events.`,
      ),
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
    search: searchBy("Only calls whose operation").meta({
      description:
        "Only calls whose operation contains this text, ignoring case, or the call whose response has this `X-Request-Id`.",
      examples: ["projects"],
    }),
    consoleReads: consoleReads.describe("Whether to include members' reads in the console."),
    sort: sortBy(),
  }),
  output: z.object({ auditEvents: z.array(AuditEvent), nextCursor, total }),

  async handler({ query, caller, db }) {
    const page = pageOf("auditEvent", auditEvents.id, query);
    const { status } = query;
    const selected = selectedBy(query);
    const endUserId =
      query.endUser === undefined ? undefined : await findEndUserId(db, caller, query.endUser);
    if (endUserId === null || selected === null)
      return { auditEvents: [], nextCursor: null, total: query.total && { count: 0, more: false } };
    const filter = { ...query, ...selected, endUserId };
    const { operations = [], requestId } = selected;
    const [operation, another] = operations;
    const indexed = allOf(
      visible(auditEvents, caller),
      operation === undefined || another !== undefined ? undefined : eq(auditEvents.operation, operation),
      query.outcome && eq(auditEvents.outcome, query.outcome),
      // Refused and failed calls have an index.
      status === undefined ? undefined : eq(auditEvents.outcome, outcomeOf(status)),
      query.keyId
        ? and(
            eq(auditEvents.actorType, "key"),
            eq(auditEvents.actorId, sql`${uuidOf("apiKey", query.keyId)}`),
          )
        : undefined,
      query.memberId
        ? and(
            eq(auditEvents.actorType, "member"),
            eq(auditEvents.actorId, sql`${uuidOf("member", query.memberId)}`),
          )
        : undefined,
      query.projectId ? eq(auditEvents.projectId, query.projectId) : undefined,
      endUserId === undefined ? undefined : eq(auditEvents.endUserId, endUserId),
      within(auditEvents.id, query),
      requestId === undefined ? undefined : eq(auditEvents.requestId, requestId),
    );
    const unindexed = and(
      status === undefined ? undefined : eq(auditEvents.status, status),
      query.consoleReads === "exclude" ? not(isConsoleRead()) : undefined,
    );
    const isBounded =
      status !== undefined || (query.memberId !== undefined && query.consoleReads === "exclude");
    const beyond = isBounded ? await firstBeyond(page.where(indexed)) : undefined;
    const condition = allOf(
      page.where(indexed),
      unindexed,
      beyond === undefined ? undefined : (page.isDescending ? gt : lt)(auditEvents.id, beyond),
    );
    const found = await readPage();
    return { auditEvents: found.rows, nextCursor: found.nextCursor, total: await countAll() };

    async function readPage(): Promise<{ rows: AuditEvent[]; nextCursor: string | null }> {
      const { isDescending, start } = page;
      const rows = await selectEvents(db)
        .where(another === undefined ? condition : allOf(visible(auditEvents, caller), isOnPage(operations)))
        .orderBy(page.order)
        .limit(page.limit);
      const recent = rows.map(toAuditEvent);
      const oldest = isDescending ? recent[page.limit - 1]?.at : momentOf(start);
      if ((isDescending && beyond !== undefined) || isTooRecent(oldest) || isTooRecent(query.from)) {
        const { rows, nextCursor } = page.cut(recent);
        return { rows, nextCursor: nextCursor ?? (beyond === undefined ? null : page.cursorFrom(beyond)) };
      }
      const leftOut = query.consoleReads === "exclude" ? readingOperations() : [];
      // The archives are read after the rows: an event that is archived in between is in both, never in neither.
      const search = { start, wanted: page.limit, isDescending };
      const { lines, searchedTo } = await searchArchives(db, caller, { ...filter, leftOut }, search);
      const archived = new Map(lines.map((line) => [line.event.id, line]));
      for (const { id } of recent) archived.delete(id);
      const ends = [searchedTo, beyond].filter((id) => id !== null && id !== undefined);
      const [end] = ends.toSorted(page.compare);
      const all = [...recent, ...[...archived.values()].map(({ event }) => event)]
        .filter(({ id }) => end === undefined || page.compare(id, end) < 0)
        .toSorted((a, b) => page.compare(a.id, b.id));
      const { rows: shown, nextCursor } = page.cut(all);
      const opened = await openLines(
        db,
        caller.accountId,
        shown.flatMap(({ id }) => archived.get(id) ?? []),
      );
      const named = new Map(opened.map(({ event }) => [event.id, event]));
      return {
        rows: shown.map((event) => named.get(event.id) ?? event),
        nextCursor: nextCursor ?? (end === undefined ? null : page.cursorFrom(end)),
      };
    }

    /** Matches the page's events of several operations, each found by its index: no index has the order of several. */
    function isOnPage(operations: readonly string[]): SQL {
      const ofOne = db
        .select({ id: auditEvents.id })
        .from(auditEvents)
        .where(allOf(condition, sql`${auditEvents.operation} = searched.operation`))
        .orderBy(page.order)
        .limit(page.limit);
      return sql`${auditEvents.id} in (
        select found.id from unnest(${sql.param(operations)}::text[]) searched (operation)
        cross join lateral ${ofOne} found)`;
    }

    /** Returns the id of the first of these events, in the list's order, that a page does not look at. */
    async function firstBeyond(events: SQL): Promise<string | undefined> {
      const [first] = await db
        .select({ id: auditEvents.id })
        .from(auditEvents)
        .where(events)
        .orderBy(page.order)
        .offset(MAX_LOOKED_AT)
        .limit(1);
      return first?.id;
    }

    async function countAll(): Promise<Total | undefined> {
      if (query.total === undefined) return undefined;
      const looked = db
        .select()
        .from(auditEvents)
        .where(allOf(indexed, another === undefined ? undefined : inArray(auditEvents.operation, operations)))
        .orderBy(...(another === undefined ? [page.order] : []))
        .limit(MAX_LOOKED_AT)
        // The view's name, so that conditions apply to both.
        .as("audit_events");
      const total = await page.total(db, () => db.select().from(looked).where(unindexed), found);
      if (!total || total.more || (query.cursor === undefined && found.nextCursor === null)) return total;
      const isPart = unindexed !== undefined && (await firstBeyond(indexed)) !== undefined;
      return {
        count: Math.max(total.count, found.rows.length),
        more: isPart || (!isTooRecent(query.from) && (await hasArchives(db, caller, query))),
      };
    }
  },
});

/** Returns the operations and the request that a query selects; null if it selects no event. */
function selectedBy({
  operation,
  requestId,
  search,
}: Partial<Record<"operation" | "requestId" | "search", string | undefined>>) {
  const operations = operation === undefined ? undefined : [operation];
  if (search === undefined) return { operations, requestId };
  if (uuidOf("request", search) !== null)
    return requestId === undefined || requestId === search ? { operations, requestId: search } : null;
  const text = search.toLowerCase();
  const found = (operations ?? recordedOperations()).filter((id) => id.toLowerCase().includes(text));
  return found.length === 0 ? null : { operations: found, requestId };
}

/** Returns the time of an event, by its id. */
const momentOf = (eventId: string) => timeOf(toUuid("auditEvent", eventId)).toISOString();

function isConsoleRead(): SQL {
  return allOf(
    eq(auditEvents.actorType, "member"),
    eq(auditEvents.outcome, "allowed"),
    inArray(auditEvents.operation, readingOperations()),
  );
}
