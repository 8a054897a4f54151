import { z } from "zod";
import { instant, sentInstant } from "#server/operation/fields.ts";
import { conditionOn, EVENT_LIMITS, EventCondition, eventName } from "#server/sent-events/schema.ts";
import { InboundWebhook, SentWebhook } from "../inbound/schema.ts";

const cron = z
  .string()
  .max(200, "At most 200 characters.")
  .meta({
    description:
      "A crontab line of five fields: minute, hour, day of the month, month, day of the week. Names (`MON-FRI`), steps (`*/15`), `L` (the last day) and `#` (`MON#1`: the first Monday) are known.",
    examples: ["30 2 * * MON-FRI"],
  });
const timezone = z
  .string()
  .max(100, "At most 100 characters.")
  .meta({
    description:
      "The IANA name of the time zone of `cron`. A time that the clock skips in spring starts its run right after; a time that it shows twice in autumn starts one run. A schedule with more than one start per hour follows the clock.",
    examples: ["Europe/Berlin"],
  });
const everySeconds = z
  .int()
  .min(60, "At least 60 seconds.")
  .max(31_536_000, "At most 31,536,000 seconds, a year.")
  .meta({
    description: "The interval in seconds, counted from the time when the trigger was put.",
    examples: [900],
  });

const event = eventName.meta({
  description:
    "The name of the event that starts a run: one of your own that `managed-events` sends in exactly the trigger's project and for its end user, or one of [the platform's](/docs/events) that its owner may read.",
  examples: ["order.paid"],
});

/** A condition on the event or delivery that starts a run. */
const TriggerCondition = conditionOn(
  z
    .string()
    .max(200, "At most 200 characters.")
    .regex(
      /^(data(\.[^.\s]+)*|headers\.[a-z0-9_-]+|key|name)$/,
      "Send data, with names or numbers of list entries after dots; name; key of an event; or headers. with a name in lower case.",
    )
    .meta({ description: "The path of the field in the event or delivery.", examples: ["data.amountUsd"] }),
).meta({ id: "TriggerCondition", description: "A condition on the event or delivery that starts a run." });

const exactlyOne = (on: object) =>
  Object.entries(on).filter(([name, value]) => SOURCES.includes(name) && value !== undefined).length === 1;
const SOURCES = ["cron", "everySeconds", "at", "event", "webhook"];
const oneOf = "Send exactly one of cron, everySeconds, at, event and webhook.";

/** The source of a trigger's runs, in requests. */
export const SentSource = z
  .strictObject({
    cron: cron.optional(),
    timezone: timezone.optional().describe("The IANA name of the time zone of `cron`; by default UTC."),
    everySeconds: everySeconds.optional(),
    at: sentInstant.optional().describe("The time of the single run."),
    event: event.optional(),
    webhook: SentWebhook.optional(),
    where: z
      .array(TriggerCondition)
      .min(1, "At least one condition.")
      .max(EVENT_LIMITS.maximumConditions, `At most ${EVENT_LIMITS.maximumConditions} conditions.`)
      .optional()
      .describe("The conditions on the event or delivery; all of them must hold."),
  })
  .refine(exactlyOne, oneOf)
  .refine(({ timezone, cron }) => timezone === undefined || cron !== undefined, {
    path: ["timezone"],
    message: "Only cron is read in a time zone. Leave it out.",
  })
  .refine(
    ({ event, webhook, where }) => where === undefined || event !== undefined || webhook !== undefined,
    {
      path: ["where"],
      message: "Only an event or a webhook has conditions. Leave it out.",
    },
  )
  .meta({
    description:
      "The schedule or event that starts the runs: one of `cron`, `everySeconds`, `at`, `event` and `webhook`.",
  });
export type SentSource = z.output<typeof SentSource>;

export const Source = z
  .union([
    z.object({ cron, timezone }),
    z.object({ everySeconds }),
    z.object({ at: instant.describe("The time of the single run.") }),
    z.object({
      event,
      where: z
        .array(EventCondition)
        .optional()
        .describe("The conditions on the event; all of them must hold."),
    }),
    z.object({
      webhook: InboundWebhook,
      where: z
        .array(TriggerCondition)
        .optional()
        .describe("The conditions on the delivery; all of them must hold."),
    }),
  ])
  .meta({ description: "The schedule or event that starts the runs." });
