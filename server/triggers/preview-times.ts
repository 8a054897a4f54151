import { z } from "zod";
import { instant } from "#server/operation/fields.ts";
import { invalidRequest } from "#server/operation/input.ts";
import { operation } from "#server/operation/operation.ts";
import { readClock } from "./queries.ts";
import { SHOWN_TIMES } from "./schema.ts";
import { SentSource } from "./source/schema.ts";
import { faultsOfSchedule, nextTimes, scheduleOf } from "./times.ts";

export const previewTimes = operation({
  id: "triggers.times.read",
  method: "GET",
  path: "/triggers/times",
  surfaces: ["console"],
  summary: "Read the next times of a schedule",
  description: "Those that a trigger with this crontab line would have from now on.",
  scope: "runs:read",
  service: "managed-triggers",
  query: z.object({
    cron: z.string().max(200).describe("The crontab line."),
    timezone: z.string().max(100).optional().describe("The time zone that it is read in; by default UTC."),
  }),
  output: z.object({ times: z.array(instant).describe(`The next ${SHOWN_TIMES} times.`) }),

  async handler({ query, db }) {
    const sent = SentSource.parse(query);
    const faults = faultsOfSchedule(sent, "query");
    if (faults.length > 0) throw invalidRequest(faults);
    const now = await readClock(db);
    const times = nextTimes({ schedule: scheduleOf(sent), anchorAt: now }, now, SHOWN_TIMES);
    return { times: times.map((time) => time.toISOString()) };
  },
});
