import { z } from "zod";
import { type Comparison, ConditionOperator } from "#server/operation/conditions.ts";
import { exampleId, instant, typeId } from "#server/operation/fields.ts";

/** The limits of an account's own events; published in `/pricing`. */
export const EVENT_LIMITS = {
  /** The JSON of an event's `data`. */
  maximumDataBytes: 65_536,
  /** How long an event is available to steps that begin to wait later: 30 days. */
  keptSeconds: 2_592_000,
  /** The number of events of which a step awaits the first. */
  maximumAwaited: 10,
  /** The number of conditions on each of them. */
  maximumConditions: 20,
  /** The JSON of the conditions on each of them, after their expressions are evaluated. */
  maximumConditionsBytes: 16_384,
  /** The waits of one account's runs for one of the platform's events: each of these is compared with all of them. */
  maximumWaitsPerEvent: 1000,
} as const;

/** The families of the platform's events: the part of their names before the first dot. */
export const PLATFORM_FAMILIES = [
  "api_key",
  "app",
  "approval",
  "artifact",
  "connection",
  "credits",
  "database",
  "file",
  "project",
  "run",
  "swap",
  "trading",
  "trigger",
  "wallet",
  "webhook",
] as const;

const EXAMPLE_NAME = "order.paid";

/** True if the name belongs to a family of the platform. */
export function isPlatforms(name: string): boolean {
  return PLATFORM_FAMILIES.some((family) => name.startsWith(`${family}.`));
}

const OWN_NAME = `Names that begin with ${PLATFORM_FAMILIES.map((family) => `${family}.`).join(" ")} are the platform's. Send another.`;

/** The name of an event, the account's own or the platform's. */
export const eventName = z
  .string()
  .max(100, "At most 100 characters.")
  .regex(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/, "Letters, digits, _ and -, in parts with dots between them.");

/** The name of one of the account's own events. */
const sentEventName = eventName
  .refine((name) => !isPlatforms(name), OWN_NAME)
  .meta({ description: "The event's name.", examples: [EXAMPLE_NAME] });

const ownText = z.string().min(1, "1 to 200 characters.").max(200, "1 to 200 characters.");

export const SendEvent = z.strictObject({
  name: sentEventName,
  key: ownText.optional().meta({
    description: "The key of the object that the event is about, e.g. an order's number.",
    examples: ["4711"],
  }),
  data: z
    .unknown()
    .optional()
    .describe("The data for steps that wait for the event; at most 64 KB of JSON. Null by default."),
  id: ownText
    .optional()
    .describe(
      "Your own id of the event, e.g. the id of a provider's delivery. Within a day, an event with the same id is sent once; repeats get the first response.",
    ),
});

const eventId = typeId("sentEvent").describe("The event's id.");

export const SentEvent = z
  .object({
    eventId,
    resumed: z.int().describe("The number of runs that the event resumed."),
    started: z
      .int()
      .describe(
        "The number of triggers that start a run for the event; a paused trigger starts it when it is resumed.",
      ),
    repeated: z
      .boolean()
      .describe("Whether an event with this `id` was sent before; if so, nothing happened."),
  })
  .meta({
    id: "SentEvent",
    description: "The effects of an event.",
    examples: [{ eventId: exampleId("sentEvent"), resumed: 1, started: 0, repeated: false }],
  });

/**
 * Returns the fault in the form of a condition's value, which an expression may have returned; null if it has none. A
 * condition that nothing can meet is refused when it is stored; conditions that were stored before are still evaluated.
 */
function formFault({ op, value }: Comparison): string | null {
  const isExpression = typeof value === "string" && /^\{%[\s\S]*%\}$/.test(value);
  if (isExpression) return null;
  if (op === "exists")
    return value === undefined || typeof value === "boolean" ? null : "Send true or false.";
  if (value === undefined) return "Send a value to compare with.";
  if (op === "in")
    return Array.isArray(value) && value.length <= 100 ? null : "Send a list, at most 100 values.";
  if (op === "prefix") return typeof value === "string" ? null : "Send a text.";
  return null;
}

/** A condition on the value at one of these paths. */
export function conditionOn(path: z.ZodString) {
  return z
    .strictObject({
      path,
      op: ConditionOperator.describe(
        "The comparison, as in webhooks' filters. A missing field fulfils no condition; `exists` with `true` requires a field that is present and not null, with `false` the opposite. In your own events and in deliveries, `gt`, `gte`, `lt` and `lte` also compare texts by the order of their characters, if the value is a text that is not a decimal.",
      ),
      value: z
        .unknown()
        .optional()
        .describe(
          "The value to compare with; a list with `in`. Numbers, and decimals in texts, are compared exactly by their value.",
        ),
    })
    .superRefine((condition, { addIssue }) => {
      const message = formFault(condition);
      if (message) addIssue({ code: "custom", path: ["value"], message });
    });
}

export const EventCondition = conditionOn(
  z
    .string()
    .max(200, "At most 200 characters.")
    .regex(
      /^(data(\.[^.\s]+)*|key|name)$/,
      "Send data, with names or numbers of list entries after dots; or key.",
    )
    .meta({ description: "The path of the field in the event.", examples: ["data.amountUsd"] }),
).meta({
  id: "EventCondition",
  description: "A condition on an event.",
  examples: [{ path: "data.amountUsd", op: "gte", value: "12.50" }],
});

/** Conditions on an event, all of which must hold. */
const where = z
  .array(EventCondition)
  .min(1, "At least one condition.")
  .max(EVENT_LIMITS.maximumConditions, `At most ${EVENT_LIMITS.maximumConditions} conditions.`)
  .optional()
  .describe("The conditions on the event; all of them must hold.");

function listOf<Event extends z.ZodType>(event: Event) {
  const most = EVENT_LIMITS.maximumAwaited;
  return z.array(event).min(1, "At least one event.").max(most, `At most ${most} events.`);
}

const expression = z.string().regex(/^\{%[\s\S]*%\}$/);

/** An event that a step awaits, in the form of a workflow, with expressions. */
export const AwaitedTemplates = listOf(
  z
    .strictObject({
      name: z
        .union([eventName, expression])
        .describe(
          "The name of one of your own events, or of [the platform's](/docs/events), e.g. `wallet.deposit.confirmed`.",
        ),
      key: z
        .string()
        .max(4000)
        .optional()
        .describe("The event's key; by default any. The platform's events have none."),
      where,
    })
    .meta({ id: "AwaitedEvent", description: "An event that a step waits for." }),
);

const evaluatedWhere = where.superRefine((conditions, { addIssue }) => {
  const bytes = new TextEncoder().encode(JSON.stringify(conditions ?? [])).length;
  const most = EVENT_LIMITS.maximumConditionsBytes;
  if (bytes > most)
    addIssue({ code: "custom", message: `The conditions have ${bytes} bytes of JSON; at most ${most}.` });
});

/** The same event after its expressions are evaluated. */
export const AwaitedEvents = listOf(
  z.strictObject({ name: eventName, key: ownText.optional(), where: evaluatedWhere }),
);

/** An event that a step has received. */
export interface AwaitedEvent {
  id: string;
  name: string;
  key: string | null;
  /** The headers of a delivery to an inbound webhook. */
  headers?: Record<string, string>;
  data: unknown;
  sentAt: string;
}

/** An event that a run waits for. */
const WaitedEvent = z.object({
  name: z.string().meta({ description: "The event's name.", examples: [EXAMPLE_NAME] }),
  key: z.string().nullable().describe("The event's key; null for any."),
});

/** A wait of a run for data from outside. */
export const RunWait = z
  .object({
    step: z.string().describe("The name of the waiting step in the timeline."),
    since: instant.describe("The time when the step began to wait."),
    until: instant.describe("The time when the step stops waiting."),
    events: z
      .array(WaitedEvent)
      .describe("The events, the first of which resumes the step; empty for a callback."),
    callback: z
      .object({
        heartbeatAt: instant
          .nullable()
          .describe("The time of the last heartbeat; before the first one, the time of the request."),
        progress: z
          .number()
          .nullable()
          .describe("The progress that the last heartbeat reported, from 0 to 1."),
        message: z.string().nullable().describe("The message of the last heartbeat."),
      })
      .nullable()
      .describe("The callback that the step waits for."),
  })
  .meta({ id: "RunWait", description: "A step that waits for an event or a callback." });
