import { and, asc, isNotNull, isNull, lte } from "drizzle-orm";
import { z } from "zod";
import { triggers } from "#db/schema/triggers.ts";
import { DAY_MS } from "#server/base/durations.ts";
import { instant, typeId } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { visible } from "#server/operation/tenancy.ts";
import { readClock, selectTriggers } from "./queries.ts";
import { triggerName } from "./schema.ts";
import { timesBetween } from "./times.ts";

/** The maximum number of triggers, and of times of each, in a response. */
const MAX_TRIGGERS = 100;
const MAX_TIMES = 50;

export const readCalendar = operation({
  id: "triggers.calendar.read",
  method: "GET",
  path: "/triggers/calendar",
  surfaces: ["console"],
  summary: "Read the next starts of triggers",
  description: `The times of the next days, of the ${MAX_TRIGGERS} triggers that come first; of each at most ${MAX_TIMES}.`,
  scope: "runs:read",
  service: "managed-triggers",
  query: z.object({ days: z.int().min(1).max(31).default(7).describe("How many days from now on.") }),
  output: z.object({
    from: instant.describe("Now, by the platform's clock."),
    to: instant.describe("The end of the last day."),
    triggers: z
      .array(
        z.object({
          id: typeId("trigger"),
          name: triggerName,
          times: z.array(instant).describe("When it starts runs."),
          more: z.boolean().describe("Whether further times of it follow before `to`."),
        }),
      )
      .describe("Those that come first."),
    more: z.boolean().describe("Whether further triggers start runs before `to`."),
  }),

  async handler({ query, caller, db }) {
    const from = await readClock(db);
    const to = new Date(from.getTime() + query.days * DAY_MS);
    const found = await selectTriggers(db)
      .where(
        and(
          visible(triggers, caller),
          isNull(triggers.pausedReason),
          isNotNull(triggers.nextAt),
          lte(triggers.nextAt, to),
        ),
      )
      .orderBy(asc(triggers.nextAt), asc(triggers.id))
      .limit(MAX_TRIGGERS + 1);
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      triggers: found.slice(0, MAX_TRIGGERS).map((row) => {
        const { id, name, nextAt } = row;
        const times = nextAt ? [nextAt, ...timesBetween(row, nextAt, to, MAX_TIMES)] : [];
        const shown = times.slice(0, MAX_TIMES).map((time) => time.toISOString());
        return { id, name, times: shown, more: times.length > MAX_TIMES };
      }),
      more: found.length > MAX_TRIGGERS,
    };
  },
});
