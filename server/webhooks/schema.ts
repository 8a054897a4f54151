import { z } from "zod";
import {
  exampleId,
  instant,
  keepsDirection,
  sentId,
  turnsDirection,
  typeId,
} from "#server/operation/fields.ts";
import { Filter, HeaderChanges, Headers, PayloadKind } from "./settings/schema.ts";
import { DELIVERY_STATUSES, WEBHOOK_STATUSES } from "./statuses.ts";

const url = z.string().max(2048, "At most 2,048 characters.");
const description = z.string().max(2000, "At most 2,000 characters.").refine(keepsDirection, turnsDirection);
const events = z
  .array(z.string().max(100))
  .min(1, "Name at least one event, or `*` for all.")
  .max(100)
  .meta({ examples: [["run.*", "credits.low"]] });
const health = z
  .object({
    status: z
      .enum(["unknown", "healthy", "failing"])
      .describe("The endpoint's state by its last attempt; `unknown` before the first."),
    consecutiveFailures: z.int().describe("Number of failed attempts since the last success."),
    failingSince: instant
      .nullable()
      .describe(
        "When the endpoint began to fail; null if it does not. After five days without a success the webhook is disabled.",
      ),
    lastSuccessAt: instant.nullable().describe("When a delivery last succeeded."),
    lastFailureAt: instant.nullable().describe("When an attempt last failed."),
    lastDeliveries: z
      .object({
        succeeded: z.int().describe("Number of successful deliveries."),
        failed: z.int().describe("Number of deliveries that were given up."),
      })
      .optional()
      .describe(
        "The results of the last 100 finished deliveries; only in `webhooks.list` and `webhooks.read`.",
      ),
  })
  .describe("The endpoint's health.");

export const Webhook = z
  .object({
    id: typeId("webhook"),
    url: z.string().describe("The address that events are sent to."),
    description: z.string().nullable().describe("What the webhook is for."),
    events: z
      .array(z.string())
      .describe("The subscribed events: `*`, event names, or groups such as `run.*`."),
    filter: Filter.nullable().describe("Conditions that an event must all meet; null for no conditions."),
    payload: PayloadKind.describe(
      "The form of deliveries: `full` events with their `data`, or `thin` events without it.",
    ),
    headerNames: z
      .array(z.string())
      .describe("The names of custom headers sent with each attempt. Their values are never shown."),
    status: z.enum(WEBHOOK_STATUSES).meta({
      id: "WebhookStatus",
      description:
        "The status. A paused webhook gets no new events, and its waiting deliveries wait until it is active again.",
    }),
    disabledReason: z
      .enum(["manual", "failing", "gone", "key_revoked", "key_expired"])
      .nullable()
      .describe(
        "Why the webhook is disabled: manually, after five days of failures, by a 410 response, or because its owner key ended. Null if it is not.",
      ),
    ownerKeyId: typeId("apiKey")
      .nullable()
      .describe("The owner: the key whose rights select the events; null for a webhook of the account."),
    createdByKeyId: typeId("apiKey")
      .nullable()
      .describe("The key that created the webhook; null if a member did."),
    health,
    previousSecretExpiresAt: instant
      .nullable()
      .describe("Until when deliveries are also signed with the previous secret; null without an overlap."),
    projectId: typeId("project").nullable().describe("The only project whose events are sent; null for all."),
    endUser: z
      .string()
      .nullable()
      .describe("Your id of the only end user whose events are sent; null for all."),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({
    id: "Webhook",
    description: "An endpoint that the account's events are sent to.",
    examples: [
      {
        id: exampleId("webhook"),
        url: "https://example.com/hooks/platform",
        description: "Runs and credits, to the back office",
        events: ["run.*", "credits.low"],
        filter: null,
        payload: "full",
        headerNames: ["authorization"],
        status: "active",
        disabledReason: null,
        ownerKeyId: exampleId("apiKey"),
        createdByKeyId: exampleId("apiKey"),
        health: {
          status: "healthy",
          consecutiveFailures: 0,
          failingSince: null,
          lastSuccessAt: "2027-01-31T14:05:09.120Z",
          lastFailureAt: null,
        },
        previousSecretExpiresAt: null,
        projectId: null,
        endUser: null,
        createdAt: "2027-01-31T12:00:00.000Z",
        updatedAt: "2027-01-31T12:00:00.000Z",
      },
    ],
  });

export type Webhook = z.output<typeof Webhook>;

/** The only responses that contain the secret. */
export const WebhookWithSecret = z.object({
  webhook: Webhook,
  secret: z.string().meta({
    description: "The secret that signs deliveries. Shown once.",
    examples: ["whsec_C2FVsBQIhrscChlQIMV…"],
  }),
});

export const WebhookParams = z.object({ webhookId: typeId("webhook") });

export const CreateWebhook = z.object({
  url: url.describe("A public `https:` address.").meta({
    examples: ["https://example.com/hooks/platform"],
  }),
  events: events.describe("The events to send: `*`, event names, or groups such as `run.*`."),
  description: description.nullable().optional().describe("What the webhook is for."),
  filter: Filter.nullable()
    .optional()
    .describe("Conditions: only events whose body meets all of them are sent; null for no conditions."),
  payload: PayloadKind.default("full").describe(
    "`thin` sends the event's id, resource and status without `data`; your server reads the rest with its key.",
  ),
  headers: Headers.optional().describe(
    "Custom headers for each attempt, by name. Values are stored sealed and never shown again.",
  ),
  projectId: sentId("project").optional().describe("Send this project's events only."),
});

export const UpdateWebhook = z.object({
  url: url.optional().describe("The new address; waiting deliveries go there, too."),
  events: events.optional().describe("The events to send from now on."),
  description: description.nullable().optional().describe("What the webhook is for; null clears it."),
  filter: Filter.nullable()
    .optional()
    .describe("The conditions for new events; null removes them. Waiting deliveries are still sent."),
  payload: PayloadKind.optional().describe("The form of new deliveries; waiting ones keep theirs."),
  headers: HeaderChanges.nullable()
    .optional()
    .describe(
      "Headers to add or replace, by name; null at a name removes it, null in place of all clears them.",
    ),
  status: z
    .enum(["active", "paused"])
    .optional()
    .describe(
      "`active` resumes a paused or disabled webhook; if its owner key has ended, the caller becomes the owner.",
    ),
});

export const RotateSecret = z.object({
  overlapSeconds: z
    .int()
    .min(0, "At least 0.")
    .max(604_800, "At most 604,800 seconds, a week.")
    .default(86_400)
    .describe(
      "How long, in seconds, deliveries are also signed with the old secret; 0 ends the old secret at once.",
    ),
});

export const CheckSignature = z.object({
  headers: z
    .string()
    .min(1, "Paste the delivery's headers.")
    .max(20_000, "At most 20,000 characters.")
    .describe("The headers as they arrived, one per line."),
  body: z.string().max(200_000, "At most 200,000 characters.").describe("The body as it arrived, unparsed."),
});

export const SignatureCheck = z.object({
  check: z.enum(["headers", "timestamp", "body", "signature"]).describe("The check."),
  passed: z.boolean().nullable().describe("The result; null if it can't be determined."),
  message: z.string().describe("The finding and, if the check failed, what to do."),
});
export type SignatureCheck = z.output<typeof SignatureCheck>;

export const DeliveryStatus = z.enum(DELIVERY_STATUSES).meta({
  id: "DeliveryStatus",
  description:
    "The status: `failed` after the last attempt; `abandoned` if the webhook was disabled before that.",
});

export const Delivery = z
  .object({
    id: typeId("delivery"),
    webhookId: typeId("webhook"),
    eventId: typeId("webhookEvent").describe("The event's id, the same in each of its deliveries."),
    event: z.string().describe("The event's name."),
    status: DeliveryStatus,
    attempts: z
      .array(
        z.object({
          at: instant.describe("When the attempt was made."),
          status: z.int().nullable().describe("The HTTP status of the response; null without a response."),
          durationMs: z.int().describe("Duration in milliseconds."),
          error: z.string().nullable().describe("Why the attempt failed; null if it succeeded."),
          responseSnippet: z
            .string()
            .nullable()
            .describe("The beginning of the response body; null if there is none."),
        }),
      )
      .describe("The attempts, oldest first."),
    nextAttemptAt: instant
      .nullable()
      .describe("When the next attempt is made; null if the delivery is finished."),
    replayOf: typeId("delivery").nullable().describe("The delivery that this one repeats; null if none."),
    projectId: typeId("project").nullable().describe("The webhook's project."),
    endUser: z.string().nullable().describe("The webhook's end user."),
    createdAt: instant,
  })
  .meta({
    id: "WebhookDelivery",
    description: "The delivery of an event to a webhook.",
    examples: [
      {
        id: exampleId("delivery"),
        webhookId: exampleId("webhook"),
        eventId: exampleId("webhookEvent"),
        event: "project.created",
        status: "succeeded",
        attempts: [
          {
            at: "2027-01-31T14:05:09.120Z",
            status: 200,
            durationMs: 41,
            error: null,
            responseSnippet: "ok",
          },
        ],
        nextAttemptAt: null,
        replayOf: null,
        projectId: exampleId("project"),
        endUser: null,
        createdAt: "2027-01-31T14:05:09.080Z",
      },
    ],
  });

export type Delivery = z.output<typeof Delivery>;

export const DeliveryParams = z.object({ deliveryId: typeId("delivery") });
