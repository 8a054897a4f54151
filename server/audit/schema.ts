import { z } from "zod";
import { AccessCheck } from "#server/keys/schema.ts";
import { exampleId, instant, typeId } from "#server/operation/fields.ts";
import { OUTCOMES } from "./outcomes.ts";

/** The kind of actor. */
export const ActorType = z.enum(["key", "member", "system"]).meta({ id: "ActorType" });

const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"] });

export const AuditEvent = z
  .object({
    id: typeId("auditEvent"),
    at: instant,
    actor: z
      .object({
        type: ActorType.describe("What kind of caller acted."),
        id: z
          .string()
          .nullable()
          .meta({
            description: "Id of the key, the member or the credit token.",
            examples: [exampleId("apiKey")],
          }),
        label: z
          .string()
          .nullable()
          .meta({
            description: "The caller's label or name; null once it was erased.",
            examples: ["Backend"],
          }),
      })
      .describe("Who acted."),
    operation: z
      .string()
      .meta({ description: "The limit operation, e.g. `projects.create`.", examples: ["projects.create"] }),
    resource: z
      .string()
      .nullable()
      .meta({ description: "Id of the thing that the call was about.", examples: [exampleId("project")] }),
    outcome: z
      .enum(OUTCOMES)
      .meta({ id: "AuditOutcome", description: "`denied`: refused with a 4xx; `error`: failed with a 5xx." }),
    status: z
      .number()
      .int()
      .meta({ description: "The answer's HTTP status.", examples: [201] }),
    errorCode: z
      .string()
      .nullable()
      .meta({ description: "The answer's error code.", examples: [null] }),
    requestId: z
      .string()
      .meta({ description: "The answer's `X-Request-Id`.", examples: [exampleId("request")] }),
    projectId: typeId("project").nullable().describe("The project that the call was made in."),
    endUser: z
      .string()
      .nullable()
      .meta({ description: "The end user that the call was made for; null once erased.", examples: [null] }),
    ip: z
      .string()
      .nullable()
      .meta({ description: "The client's address, for 30 days.", examples: ["203.0.113.7"] }),
    userAgent: z
      .string()
      .nullable()
      .meta({ description: "The client's `User-Agent`, for 30 days.", examples: ["shop-backend/2.1"] }),
    durationMs: z
      .number()
      .int()
      .meta({ description: "How long the platform worked on it.", examples: [12] }),
    chargedCredits: z
      .number()
      .int()
      .meta({ description: "What it cost.", examples: [0] }),
    secretVersion: z
      .number()
      .int()
      .nullable()
      .meta({ description: "The version of the connection's secret in use.", examples: [null] }),
    sequence: z
      .number()
      .int()
      .nullable()
      .meta({
        description: "Its place in the account's hash chain, from 1, without gaps; given within a second.",
        examples: [1],
      }),
    previousHash: sha256.nullable().describe("`hash` of the event before it, hex."),
    hash: sha256
      .nullable()
      .describe(
        "SHA-256 of the event without `hash` in its RFC 8785 form, personal fields as salted digests.",
      ),
  })
  .meta({ id: "AuditEvent", description: "One authenticated request, or one act of the platform itself." });

export type AuditEvent = z.output<typeof AuditEvent>;

export const RepeatableCall = z
  .object({
    method: z.string().describe("The HTTP method."),
    path: z.string().describe("Relative to `/v1`."),
    idempotent: z.boolean().describe("Whether it needs an `Idempotency-Key`."),
    headers: z.record(z.string(), z.string()).describe("What it selected by headers."),
    body: z.unknown().describe("What was sent where it is kept, else the operation's example."),
  })
  .meta({ id: "RepeatableCall", description: "A call that can be made again." });

export const AuditRefusal = z
  .object({
    check: AccessCheck.describe("The check that refused."),
    keyId: typeId("apiKey").nullable().describe("The key whose scopes, boundary or limit it was."),
    limit: z
      .object({
        operation: z.string().describe("What the limit is on."),
        kind: z.enum(["requestsPerMinute", "maxConcurrent", "creditsPerDay"]).describe("What it limits."),
        limit: z.number().describe("How much it allows."),
      })
      .nullable()
      .describe("The limit that was exhausted."),
  })
  .meta({ id: "AuditRefusal", description: "By which key, and by what, a call was refused." });

export type AuditRefusal = z.output<typeof AuditRefusal>;

export const AuditCheck = z
  .object({
    check: z
      .enum(["credential", "scope", "service", "operation", "limit", "call"])
      .describe("What was checked; `call` is what the operation itself does."),
    outcome: z.enum(["passed", "refused", "not_reached"]).describe("How it ended."),
    keyId: typeId("apiKey")
      .nullable()
      .describe("The key that refused, or whose limit it is; else the calling key. Null for people."),
    asked: z
      .string()
      .nullable()
      .describe("What was asked for: the scope, the service, the operation's selector, or the limit's."),
    limit: z
      .object({
        kind: z.enum(["requestsPerMinute", "maxConcurrent", "creditsPerDay"]).describe("What it limits."),
        limit: z.number().describe("How much it allows."),
        used: z
          .number()
          .nullable()
          .describe(
            "Calls of the minute up to this one, or credits of the day; null where it is not known any more.",
          ),
      })
      .nullable()
      .describe("Set for a limit."),
  })
  .meta({ id: "AuditCheck", description: "One check that a call went through." });

export type AuditCheck = z.output<typeof AuditCheck>;

export const AuditBody = z
  .object({
    body: z.unknown().describe("What was sent, as far as it is kept."),
    why: z.string().nullable().describe("Why it is not kept; null where it is."),
  })
  .meta({ id: "AuditBody", description: "A call's body, where what the call made keeps it." });

export const AuditEffects = z
  .object({
    entries: z
      .array(
        z.object({
          id: typeId("receipt"),
          description: z.string().describe("What was booked."),
          amount: z.int().describe("Credits, negative for a charge."),
        }),
      )
      .describe("What the call moved in the ledger of credits."),
    events: z
      .array(
        z.object({
          id: typeId("webhookEvent"),
          type: z.string().describe("The event's name."),
          deliveries: z
            .array(
              z.object({
                id: typeId("delivery"),
                webhookId: typeId("webhook"),
                status: z.string().describe("How the delivery stands."),
              }),
            )
            .describe("Where it was sent; at most 20 of all events."),
        }),
      )
      .describe("Events about the call's resource that were kept while it ran; at most 20."),
  })
  .meta({ id: "AuditEffects", description: "What came of a call." });

export type AuditEffects = z.output<typeof AuditEffects>;
