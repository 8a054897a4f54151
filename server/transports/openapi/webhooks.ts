import { z } from "zod";
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

/** Returns the body of an event's deliveries; the same schema validates sent bodies. */
function payloadOf(type: EventType, { data }: EventDeclaration): z.ZodObject {
  return z.object({
    ...envelope,
    type: z.literal(type).describe("The event's name."),
    data: data.describe(DATA),
  });
}

/** The fields of a delivery without the event's data, beside the envelope's. */
const thinFields = z.object({
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
const thinEvent = z.object({ ...envelope, ...thinFields.shape });

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
  const kinds = kindsOfEvents((type) => schemas.convert(EVENTS[type].data, "output"));
  const union = kinds.map(({ name, types }) => {
    const [first] = types;
    return named.name(name, {
      description: describeKind(types),
      allOf: [
        refer("EventEnvelope"),
        {
          type: "object",
          required: ["type", "data"],
          properties: {
            type: { type: "string", ...(types.length === 1 ? { const: first } : { enum: types }) },
            data: named.name(`${name}Data`, schemas.convert(EVENTS[first].data, "output")),
          },
        },
      ],
      "x-scope": EVENTS[first].scope,
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
    description: "An event without its data.",
    allOf: [refer("EventEnvelope"), named.within(schemas.convert(thinFields, "output"), "ThinEvent")],
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

/** Events whose data have the same schema, and which need the same scope. */
interface KindOfEvents {
  name: string;
  types: [EventType, ...EventType[]];
}

/**
 * Returns the events by resource, with a type name for each group: after the resource if all its events have the same
 * data, else after the event. A type for each event would be three times as many, alike except for their `type`.
 */
function kindsOfEvents(dataOf: (type: EventType) => Json): KindOfEvents[] {
  const all = EVENT_ENTRIES.map(([type]) => type);
  const resources = Map.groupBy(all, (type) => type.slice(0, type.lastIndexOf(".")));
  return [...resources].flatMap(([resource, types]) => {
    const [first, ...others] = types;
    if (!first) return [];
    const forms = new Set(types.map((type) => JSON.stringify([dataOf(type), EVENTS[type].scope])));
    return forms.size === 1
      ? [{ name: eventName(resource), types: [first, ...others] }]
      : types.map((type): KindOfEvents => ({ name: eventName(type), types: [type] }));
  });
}

/** Returns when the events are sent; of several, each with its name. */
function describeKind(types: readonly EventType[]): string {
  const [first] = types;
  if (first && types.length === 1) return EVENTS[first].description;
  return types.map((type) => `\`${type}\`: ${EVENTS[type].description}`).join(" ");
}
