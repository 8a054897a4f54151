import { z } from "zod";
import { defined } from "#server/defined.ts";
import { EVENT_ENTRIES, EVENTS, type EventType } from "#server/events/catalogue.ts";
import { type EventDeclaration, envelope } from "#server/events/event.ts";
import { exampleId } from "#server/operation/fields.ts";
import { exampleIn, exampleOf, fieldsOf } from "./example.ts";
import { eventName } from "./names.ts";
import { refer } from "./nested.ts";
import type { Json } from "./schemas.ts";
import type { Sources } from "./sources.ts";

const DATA =
  "The resource at the time of the event; if larger than 20 KB, only `id`, `status` and `truncated: true`.";

/** Returns the body of an event's deliveries; the same schema validates what is sent. */
function payloadOf(type: EventType, { data }: EventDeclaration): z.ZodObject {
  return z.object({
    ...envelope,
    type: z.literal(type).describe("The event's name."),
    data: data.describe(DATA),
  });
}

/** The body of a delivery without the event's data. */
const thinEvent = z.object({
  ...envelope,
  type: z.string().meta({ description: "The event's name.", examples: ["project.created"] }),
  resource: z
    .string()
    .nullable()
    .meta({
      description: "Id of the resource that the event concerns; null for the account itself.",
      examples: [exampleId("project")],
    }),
  status: z
    .string()
    .nullable()
    .meta({
      description: "The resource's status at the time of the event; null if it has no status.",
      examples: ["active"],
    }),
});

/** Every schema that event bodies are made of. */
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
    "`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `t`, a full stop and the body, keyed by the whole secret; one `v1` for each active secret.",
    "t=1801396800,v1=5257a869e7…",
  ),
  StandardWebhookId: header(
    "webhook-id",
    "The event's id (Standard Webhooks).",
    "whe_01jz4w1n9vf5ha3kqcx8y2r7te",
  ),
  StandardWebhookTimestamp: header(
    "webhook-timestamp",
    "Time of the delivery attempt in Unix seconds (Standard Webhooks).",
    "1801396800",
  ),
  StandardWebhookSignature: header(
    "webhook-signature",
    "`v1,<base64>` for each active secret, separated by spaces (Standard Webhooks).",
    "v1,g0hM9SsE+OTPJTG…",
  ),
};

/**
 * Describes the webhooks that the platform sends to customers' endpoints: one whose body is any event, and one for
 * thin events. There is no webhook per event: generators emit some fifty lines for each, and receivers want a union.
 */
export function describeWebhooks({ schemas, components, named }: Sources): Record<string, Json> {
  named.name("EventEnvelope", {
    ...schemas.convert(z.object(envelope), "output"),
    description: `The fields of every event beside \`type\` and \`data\`. ${DATA.replace("The resource", "`data`: the resource")}`,
  });
  const names = dataNames((type) => schemas.convert(EVENTS[type].data, "output"));
  const union = EVENT_ENTRIES.map(([type, { description, scope, data }]) => {
    return named.name(eventName(type), {
      description,
      allOf: [
        refer("EventEnvelope"),
        {
          type: "object",
          required: ["type", "data"],
          properties: {
            type: { type: "string", const: type },
            data: named.name(defined(names.get(type)), schemas.convert(data, "output")),
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
      "Sent to each webhook that subscribes to the event, if its owner key has the event's `x-scope` and may read the resource.",
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
      "2XX": {
        description:
          "Received. After any other response the delivery is tried again, up to ten times within three days.",
      },
      410: { description: "The endpoint no longer exists; the platform disables the webhook." },
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

/**
 * Returns the type name of each event's data: after the resource if all its events have the same data, else after the
 * event.
 */
function dataNames(dataOf: (type: EventType) => Json): Map<EventType, string> {
  const resources = Map.groupBy(EVENT_ENTRIES, ([type]) => type.slice(0, type.lastIndexOf(".")));
  return new Map(
    [...resources].flatMap(([resource, group]) => {
      const alike = new Set(group.map(([type]) => JSON.stringify(dataOf(type)))).size === 1;
      return group.map(([type]) => [type, `${alike ? eventName(resource) : eventName(type)}Data`] as const);
    }),
  );
}
