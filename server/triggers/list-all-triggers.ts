import { and, isNotNull, isNull } from "drizzle-orm";
import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { inboundWebhooks, triggers } from "#db/schema/triggers.ts";
import { endUserFilter, ofEndUser } from "#server/operation/end-user-filter.ts";
import { matching, searchBy } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
import { visible } from "#server/operation/tenancy.ts";
import { selectTriggers, toTrigger } from "./queries.ts";
import { hasStatus, selectTriggerSizes, triggersOf } from "./read-triggers.ts";
import { Trigger } from "./schema.ts";
import { TRIGGER_KINDS, TRIGGER_STATUSES } from "./statuses.ts";

const kinds = {
  schedule: isNotNull(triggers.schedule),
  event: isNotNull(triggers.event),
  // Also says that it has an inbound webhook: no index finds those without a schedule and an event.
  webhook: and(isNull(triggers.schedule), isNull(triggers.event), isNotNull(inboundWebhooks.triggerId)),
};

export const listAllTriggers = operation({
  id: "triggers.list",
  method: "GET",
  path: "/triggers",
  surfaces: ["console"],
  summary: "List the account's triggers",
  description:
    "Lists the triggers of all projects and end users that the caller sees, newest first. A page ends before the inputs of its starts would exceed 4 MB; `nextCursor` continues there.",
  scope: "runs:read",
  service: "managed-triggers",
  query: CountedPageQuery.extend({
    status: z.enum(TRIGGER_STATUSES).optional().describe("Only triggers with this status."),
    on: z
      .enum(TRIGGER_KINDS)
      .optional()
      .describe("Only triggers whose runs a schedule, events or an inbound webhook starts."),
    endUser: endUserFilter("Only triggers of"),
    search: searchBy("Only triggers whose name"),
    ...PeriodQuery.shape,
    sort: sortBy(["name"]),
  }),
  output: z.object({ triggers: z.array(Trigger), nextCursor, total }),

  async handler({ query, caller, db }) {
    const page = pageOf("trigger", triggers.id, query, { sorts: { name: triggers.name } });
    const condition = allOf(
      visible(triggers, caller),
      query.status && hasStatus(query.status),
      query.on && kinds[query.on],
      ofEndUser(triggers.endUserId, caller, query.endUser),
      query.search === undefined
        ? undefined
        : matching(query.search, { kind: "trigger", id: triggers.id, columns: [triggers.name] }),
      within(triggers.id, query),
    );
    const found = await selectTriggerSizes(db)
      .where(page.where(condition))
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cutToFit(found);
    const total = await page.total(db, () => selectTriggers(db).where(condition), { rows, nextCursor });
    const listed = await triggersOf(db, caller, rows);
    return { triggers: listed.map((row) => toTrigger(row, caller)), nextCursor, total };
  },
});
