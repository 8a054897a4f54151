import { z } from "zod";
import { defined } from "#server/defined.ts";
import { EVENT_ENTRIES, EVENTS, type EventType } from "#server/events/catalogue.ts";
import { type EventFacts, envelope } from "#server/events/event.ts";
import { exampleId } from "#server/operation/fields.ts";
import { exampleIn, exampleOf, fieldsOf } from "./example.ts";
import { eventName } from "./names.ts";
import { refer } from "./nested.ts";
import type { Sources } from "./operation.ts";
import type { Json } from "./schemas.ts";

const DATA = "The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`.";

/** The body of an event's deliveries, of the schema that validates what is sent. */
function payloadOf(type: EventType, { data }: EventFacts): z.ZodObject {
  return z.object({
    ...envelope,
    type: z.literal(type).describe("The event's name."),
    data: data.describe(DATA),
  });
}

/** The body of a thin delivery. */
const thinEvent = z.object({
  ...envelope,
  type: z.string().meta({ description: "The event's name.", examples: ["project.created"] }),
  resource: z
    .string()
    .nullable()
    .meta({
      description: "The id of the thing that it is about; null: the account itself.",
      examples: [exampleId("project")],
    }),
  status: z
    .string()
    .nullable()
    .meta({
      description: "That thing's status as it was then; null where it has none.",
      examples: ["active"],
    }),
});

/** Every schema that events are made of. */
export const eventSchemas: readonly z.ZodType[] = [
  thinEvent,
  ...EVENT_ENTRIES.map(([type, facts]) => payloadOf(type, facts)),
];

const header = (name: string, description: string, example: string): Json => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  ...exampleIn(example),
});

/** The headers of every delivery, as components. */
export const WEBHOOK_PARAMETERS: Record<string, Json> = {
  ServiceEvent: header("X-Service-Event", "The event's name.", "project.created"),
  ServiceSignature: header(
    "X-Service-Signature",
    "`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `t`, a full stop and the body, keyed by the whole secret; a `v1` per live secret.",
    "t=1801396800,v1=5257a869e7…",
  ),
  WebhookId: header("webhook-id", "The event's id (Standard Webhooks).", "whe_01jz4w1n9vf5ha3kqcx8y2r7te"),
  WebhookTimestamp: header(
    "webhook-timestamp",
    "Unix seconds of the attempt (Standard Webhooks).",
    "1801396800",
  ),
  WebhookSignature: header(
    "webhook-signature",
    "`v1,<base64>`, by spaces (Standard Webhooks).",
    "v1,g0hM9SsE+OTPJTG…",
  ),
};

/**
 * What the platform sends to a customer's endpoint: one webhook, whose body is any event, and one for those that are sent
 * thin. Generators make some fifty lines of each webhook, and a union of them by hand is what a receiver wants.
 */
export function describeWebhooks({ schemas, components, named }: Sources): Record<string, Json> {
  named.name("EventEnvelope", {
    ...schemas.convert(z.object(envelope), "output"),
    description: "What every event has beside its `type` and its `data`.",
  });
  const names = dataNames((type) => schemas.convert(EVENTS[type].data, "output"));
  const union = EVENT_ENTRIES.map(([type, { description, scope, data }]) => {
    const dataSchema = { ...schemas.convert(data, "output"), description: DATA };
    return named.name(eventName(type), {
      description,
      allOf: [
        refer("EventEnvelope"),
        {
          type: "object",
          required: ["type", "data"],
          properties: {
            type: { type: "string", const: type },
            data: named.name(defined(names.get(type)), dataSchema),
          },
        },
      ],
      "x-scope": scope,
    });
  });
  const examples = EVENT_ENTRIES.map(([type, facts]) => {
    const value = fieldsOf(exampleOf(schemas.convert(payloadOf(type, facts), "output"), components));
    return [type, { summary: facts.description, value: { ...value, type } }];
  });
  const post = {
    operationId: "webhooks.receive",
    tags: ["Webhooks"],
    summary: "Receive an event",
    description:
      "Sent to each webhook that asks for the event and whose owner key holds the event's `x-scope` and could read the resource.",
    parameters: Object.keys(WEBHOOK_PARAMETERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: named.name("WebhookEvent", { description: "Any event.", oneOf: union }),
          examples: Object.fromEntries(examples),
        },
      },
    },
    responses: {
      "2XX": { description: "Received. Anything else is tried again, ten times in three days." },
      410: { description: "The endpoint is gone: the webhook is disabled." },
    },
    security: [],
  };
  const thin = named.name("ThinEvent", {
    ...schemas.convert(thinEvent, "output"),
    description: "An event without its data.",
  });
  const value = exampleOf(schemas.convert(thinEvent, "output"), components);
  return {
    event: { post },
    thinEvent: {
      post: {
        ...post,
        operationId: "webhooks.receiveThin",
        summary: "Receive a thin event",
        description:
          'Sent in place of the event to each webhook with `payload: "thin"`, under the same headers.',
        requestBody: {
          required: true,
          content: { "application/json": { schema: thin, ...exampleIn(value) } },
        },
      },
    },
  };
}

/** What the data of each event is called: after the thing where all its events have the same, else after the event. */
function dataNames(dataOf: (type: EventType) => Json): Map<EventType, string> {
  const things = Map.groupBy(EVENT_ENTRIES, ([type]) => type.slice(0, type.lastIndexOf(".")));
  return new Map(
    [...things].flatMap(([thing, group]) => {
      const alike = new Set(group.map(([type]) => JSON.stringify(dataOf(type)))).size === 1;
      return group.map(([type]) => [type, `${alike ? eventName(thing) : eventName(type)}Data`] as const);
    }),
  );
}
