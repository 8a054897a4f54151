import { z } from "zod";
import { EVENTS, type EventType } from "#server/events/catalogue.ts";
import type { EventFacts } from "#server/events/event.ts";
import { instant, typeId } from "#server/operation/fields.ts";
import { exampleOf } from "./example.ts";
import type { Sources } from "./operation.ts";
import type { Json } from "./schemas.ts";

/** What each delivery's body has beside its `data`. */
const envelope = {
  id: typeId("webhookEvent").describe("The event's id, the same in every attempt and replay."),
  timestamp: instant.describe("When it happened."),
  apiVersion: z.literal("v1").describe("The version of the API that its form follows."),
  sequence: z.int().describe("Rises per thing, over all its events: a lower one is older."),
  projectId: typeId("project").nullable().describe("The project that it happened in."),
};

/** The body of an event's deliveries, of the schema that validates what is sent. */
function payloadOf(type: EventType, { data }: EventFacts): z.ZodObject {
  return z.object({
    ...envelope,
    type: z.literal(type).describe("The event's name."),
    data: data.describe("The thing as it was then; beyond 20 KB only `id`, `status` and `truncated: true`."),
  });
}

const events = Object.entries(EVENTS) as [EventType, EventFacts][];

/** Every schema that events are made of. */
export const eventSchemas: readonly z.ZodType[] = events.map(([type, facts]) => payloadOf(type, facts));

const header = (name: string, description: string, example: string): Json => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  example,
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

/** What the platform sends to a customer's endpoint, as the document has it. */
export function describeWebhooks({ schemas, components }: Sources): Record<string, Json> {
  return Object.fromEntries(
    events.map(([type, facts]) => {
      const schema = schemas.convert(payloadOf(type, facts), "output");
      const post = {
        operationId: `on.${type}`,
        tags: ["Webhooks"],
        summary: type,
        description: `${facts.description}\n\nSent where the webhook's owner key holds \`${facts.scope}\` and could read the thing.`,
        parameters: Object.keys(WEBHOOK_PARAMETERS).map((name) => ({
          $ref: `#/components/parameters/${name}`,
        })),
        requestBody: {
          required: true,
          content: {
            "application/json": { schema, example: { ...(exampleOf(schema, components) as Json), type } },
          },
        },
        responses: {
          "2XX": { description: "Received. Anything else is tried again, ten times in three days." },
          410: { description: "The endpoint is gone: the webhook is disabled." },
        },
        security: [],
      };
      return [type, { post }];
    }),
  );
}
