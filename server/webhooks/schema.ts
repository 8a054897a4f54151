import { z } from "zod";
import { exampleId, instant, typeId } from "#server/operation/fields.ts";
import { Filter, HeaderChanges, Headers, PayloadKind } from "./settings/schema.ts";

const url = z.string().max(2048, "At most 2,048 characters.");
const description = z.string().max(2000, "At most 2,000 characters.");
const events = z
  .array(z.string().max(100))
  .min(1, "Name at least one event, or `*` for all.")
  .max(100)
  .meta({ examples: [["run.*", "credits.low"]] });
const health = z
  .object({
    status: z
      .enum(["unknown", "healthy", "failing"])
      .describe("By the last attempt; `unknown` before the first."),
    consecutiveFailures: z.int().describe("Attempts that failed since the last success."),
    failingSince: instant
      .nullable()
      .describe("When it began to fail. After five days without a success the webhook is disabled."),
    lastSuccessAt: instant.nullable().describe("When a delivery last succeeded."),
    lastFailureAt: instant.nullable().describe("When an attempt last failed."),
    lastDeliveries: z
      .object({
        succeeded: z.int().describe("How many of them arrived."),
        failed: z.int().describe("How many were given up."),
      })
      .optional()
      .describe(
        "What came of its last 100 finished deliveries; only in lists and where one webhook is read.",
      ),
  })
  .describe("How the endpoint does.");

export const Webhook = z
  .object({
    id: typeId("webhook"),
    url: z.string().describe("Where events are sent."),
    description: z.string().nullable().describe("What it is for."),
    events: z.array(z.string()).describe("`*`, names of events, or all below one: `run.*`."),
    filter: Filter.nullable().describe("Conditions that an event must all fulfil; null: none."),
    payload: PayloadKind.describe("What is sent: the event with its `data`, or `thin`."),
    headerNames: z
      .array(z.string())
      .describe(
        "The headers sent with each attempt beside the platform's own. Their values are never shown.",
      ),
    status: z
      .enum(["active", "paused", "disabled"])
      .describe("A paused webhook gets no new events; what already waits for it stays."),
    disabledReason: z
      .enum(["manual", "failing", "gone", "key_revoked", "key_expired"])
      .nullable()
      .describe("Why it is disabled: by hand, five days of failures, a 410, or its owner key's end."),
    ownerKeyId: typeId("apiKey")
      .nullable()
      .describe("The key by whose rights events are chosen; null: the account's own."),
    createdByKeyId: typeId("apiKey").nullable().describe("The key that made it; null: a member did."),
    health,
    previousSecretExpiresAt: instant
      .nullable()
      .describe("Until when deliveries are signed with the secret before the last rotation, too."),
    projectId: typeId("project").nullable().describe("Only this project's events are sent."),
    endUser: z.string().nullable().describe("Only this end user's events are sent."),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({
    id: "Webhook",
    description: "An address that the account's events are sent to.",
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

/** The only answers that ever have the secret. */
export const WebhookWithSecret = z.object({
  webhook: Webhook,
  secret: z.string().meta({
    description: "Signs its deliveries. Shown once.",
    examples: ["whsec_C2FVsBQIhrscChlQIMV…"],
  }),
});

export const WebhookParams = z.object({ webhookId: typeId("webhook") });

export const CreateWebhook = z.object({
  url: url.describe("An `https:` address that the public internet reaches.").meta({
    examples: ["https://example.com/hooks/platform"],
  }),
  events: events.describe("What to send: `*`, names of events, or all below one: `run.*`."),
  description: description.nullable().optional().describe("What it is for."),
  filter: Filter.nullable()
    .optional()
    .describe("Send only events whose body fulfils every one of these; null: all that it asks for."),
  payload: PayloadKind.default("full").describe(
    "`thin` sends the id, the resource and its status in place of `data`: your server reads the rest with its key.",
  ),
  headers: Headers.optional().describe(
    "Headers for each attempt, by name. They are sealed and never shown again.",
  ),
  projectId: typeId("project").optional().describe("Send this project's events only."),
});

export const UpdateWebhook = z.object({
  url: url.optional().describe("Where to send from now on; what already waits goes there too."),
  events: events.optional().describe("What to send from now on."),
  description: description.nullable().optional().describe("What it is for; null clears it."),
  filter: Filter.nullable()
    .optional()
    .describe("What an event must fulfil from now on; null: nothing. What already waits is sent."),
  payload: PayloadKind.optional().describe("What is sent from now on; what already waits stays as it is."),
  headers: HeaderChanges.nullable()
    .optional()
    .describe(
      "Headers to add or replace, by name; null at a name removes it, null in place of all clears them.",
    ),
  status: z
    .enum(["active", "paused"])
    .optional()
    .describe("`active` brings a paused or disabled one back; the caller adopts one whose owner has ended."),
});

export const RotateSecret = z.object({
  overlapSeconds: z
    .int()
    .min(0, "At least 0.")
    .max(604_800, "At most 604,800 seconds, a week.")
    .default(86_400)
    .describe("For how long deliveries are signed with the old secret too; 0 ends it at once."),
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
  check: z.enum(["headers", "timestamp", "body", "signature"]).describe("What was looked at."),
  passed: z.boolean().nullable().describe("Null where it can't be known."),
  message: z.string().describe("What was found, and what to do where it does not hold."),
});
export type SignatureCheck = z.output<typeof SignatureCheck>;

export const DeliveryStatus = z
  .enum(["pending", "succeeded", "failed", "abandoned"])
  .describe("`failed` after the last attempt; `abandoned` when the webhook was disabled before.");

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
          at: instant.describe("When it was sent."),
          status: z.int().nullable().describe("The HTTP status; null where no answer came."),
          durationMs: z.int().describe("How long it took."),
          error: z.string().nullable().describe("Why it failed; null where it succeeded."),
          responseSnippet: z.string().nullable().describe("How the answer begins."),
        }),
      )
      .describe("The oldest first."),
    nextAttemptAt: instant.nullable().describe("When it is sent next; null when it is finished."),
    replayOf: typeId("delivery").nullable().describe("The delivery that it repeats."),
    projectId: typeId("project").nullable().describe("The webhook's project."),
    endUser: z.string().nullable().describe("The webhook's end user."),
    createdAt: instant,
  })
  .meta({
    id: "WebhookDelivery",
    description: "An event on its way to a webhook.",
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
