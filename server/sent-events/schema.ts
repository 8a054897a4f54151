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
export const sentEventName = eventName
  .refine((name) => !isPlatforms(name), OWN_NAME)
  .meta({ description: "What has happened.", examples: [EXAMPLE_NAME] });

const ownText = z.string().min(1, "1 to 200 characters.").max(200, "1 to 200 characters.");

export const SendEvent = z.strictObject({
  name: sentEventName,
  key: ownText
    .optional()
    .meta({ description: "Which one it is about, e.g. an order's number.", examples: ["4711"] }),
  data: z
    .unknown()
    .optional()
    .describe("What steps that waited for it read; 64 KB of JSON at most. Null by default."),
  id: ownText
    .optional()
    .describe(
      "Your own id of it, e.g. that of a provider's delivery: within a day it counts once, and further ones answer as the first.",
    ),
});

const eventId = typeId("sentEvent").describe("The event's id.");

export const SentEvent = z
  .object({
    eventId,
    resumed: z.int().describe("How many runs go on because of it."),
    started: z
      .int()
      .describe("How many triggers start a run for it; one that is paused does once it goes on."),
    repeated: z.boolean().describe("Whether it was sent before under this `id`: then nothing happened."),
  })
  .meta({
    id: "SentEvent",
    description: "What an event has brought about.",
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
        "How it is compared, as in webhooks' filters: a field that is missing fulfils nothing; `exists` asks for one that is there and not null, with `false` for the contrary. In events of your own and in deliveries, `gt`, `gte`, `lt` and `lte` also compare texts, in the order of their characters, where the value is a text that is no decimal.",
      ),
      value: z
        .unknown()
        .optional()
        .describe(
          "What it is compared with; a list with `in`. Numbers and decimals in texts are compared by what they amount to, exactly.",
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
    .meta({ description: "What of the event is judged.", examples: ["data.amountUsd"] }),
).meta({
  id: "EventCondition",
  description: "A condition on an event.",
  examples: [{ path: "data.amountUsd", op: "gte", value: "12.50" }],
});

/** Conditions on an event, all of which must hold. */
export const where = z
  .array(EventCondition)
  .min(1, "At least one condition.")
  .max(EVENT_LIMITS.maximumConditions, `At most ${EVENT_LIMITS.maximumConditions} conditions.`)
  .optional()
  .describe("Conditions on it, all of which must hold.");

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
          "The event's name: of your own, or of [the platform](/docs/events), e.g. `wallet.deposit.confirmed`.",
        ),
      key: z
        .string()
        .max(4000)
        .optional()
        .describe("Its key; by default whatever it is. The platform's events have none."),
      where,
    })
    .meta({ id: "AwaitedEvent", description: "An event that a step waits for." }),
);

/** The same event after its expressions are evaluated. */
export const AwaitedEvents = listOf(z.strictObject({ name: eventName, key: ownText.optional(), where }));

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
export const WaitedEvent = z.object({
  name: z.string().meta({ description: "Its name.", examples: [EXAMPLE_NAME] }),
  key: z.string().nullable().describe("Its key; null where any will do."),
});

/** A wait of a run for data from outside. */
export const RunWait = z
  .object({
    step: z.string().describe("The step that waits, as the timeline has it."),
    since: instant.describe("When it began to wait."),
    until: instant.describe("When it stops waiting."),
    events: z.array(WaitedEvent).describe("The events of which it takes the first; none for a callback."),
    callback: z
      .object({
        heartbeatAt: instant.nullable().describe("When it was sent, or last had a heartbeat."),
        progress: z
          .number()
          .nullable()
          .describe("How much is done, as the last heartbeat says, from 0 to 1."),
        message: z.string().nullable().describe("What the last heartbeat says."),
      })
      .nullable()
      .describe("Where it waits to be called back."),
  })
  .meta({ id: "RunWait", description: "A step that waits for what others send." });
