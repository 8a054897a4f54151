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
        type: ActorType.describe("The kind of caller."),
        id: z
          .string()
          .nullable()
          .meta({
            description: "The id of the key, member or credit token.",
            examples: [exampleId("apiKey")],
          }),
        label: z
          .string()
          .nullable()
          .meta({
            description: "The caller's label or name; null after it is erased.",
            examples: ["Backend"],
          }),
      })
      .describe("The caller."),
    operation: z.string().meta({
      description: "The operation as limits name it, e.g. `projects.create`.",
      examples: ["projects.create"],
    }),
    resource: z
      .string()
      .nullable()
      .meta({
        description: "The id of the resource that the call read or changed.",
        examples: [exampleId("project")],
      }),
    outcome: z
      .enum(OUTCOMES)
      .meta({ id: "AuditOutcome", description: "`denied`: refused with a 4xx; `error`: failed with a 5xx." }),
    status: z
      .number()
      .int()
      .meta({ description: "The HTTP status of the response.", examples: [201] }),
    errorCode: z
      .string()
      .nullable()
      .meta({ description: "The error code of the response.", examples: [null] }),
    requestId: z
      .string()
      .meta({ description: "The `X-Request-Id` of the response.", examples: [exampleId("request")] }),
    projectId: typeId("project").nullable().describe("The project of the call."),
    endUser: z
      .string()
      .nullable()
      .meta({ description: "The end user of the call; null after they are erased.", examples: [null] }),
    ip: z
      .string()
      .nullable()
      .meta({ description: "The client's IP address; null after 30 days.", examples: ["203.0.113.7"] }),
    userAgent: z
      .string()
      .nullable()
      .meta({
        description: "The client's `User-Agent`; null after 30 days.",
        examples: ["shop-backend/2.1"],
      }),
    durationMs: z
      .number()
      .int()
      .meta({ description: "The processing time in milliseconds.", examples: [12] }),
    chargedCredits: z
      .number()
      .int()
      .meta({ description: "The charged credits.", examples: [0] }),
    secretVersion: z
      .number()
      .int()
      .nullable()
      .meta({ description: "The version of the connection's secret that the call used.", examples: [null] }),
    sequence: z
      .number()
      .int()
      .nullable()
      .meta({
        description:
          "The position in the account's hash chain, from 1, without gaps; assigned within a second.",
        examples: [1],
      }),
    previousHash: sha256.nullable().describe("The `hash` of the previous event, in hex."),
    hash: sha256
      .nullable()
      .describe(
        "The SHA-256 of the event without `hash` in its RFC 8785 form, with personal fields as salted digests.",
      ),
  })
  .meta({ id: "AuditEvent", description: "An authenticated request, or an action of the platform itself." });

export type AuditEvent = z.output<typeof AuditEvent>;

export const RepeatableCall = z
  .object({
    method: z.string().describe("The HTTP method."),
    path: z.string().describe("The path, relative to `/v1`."),
    idempotent: z.boolean().describe("Whether the call requires an `Idempotency-Key`."),
    headers: z
      .record(z.string(), z.string())
      .describe("The headers by which the call selected a project or an end user."),
    body: z.unknown().describe("The body as sent if it is stored, otherwise the operation's example."),
  })
  .meta({ id: "RepeatableCall", description: "A call that can be repeated." });

export const AuditRefusal = z
  .object({
    check: AccessCheck.describe("The check that refused."),
    keyId: typeId("apiKey").nullable().describe("The key whose scopes, boundary or limit refused the call."),
    limit: z
      .object({
        operation: z.string().describe("The operation that the limit restricts."),
        kind: z.enum(["requestsPerMinute", "maxConcurrent", "creditsPerDay"]).describe("The kind of limit."),
        limit: z.number().describe("The maximum."),
      })
      .nullable()
      .describe("The limit that was exhausted."),
  })
  .meta({ id: "AuditRefusal", description: "The key and the check that refused a call." });

export type AuditRefusal = z.output<typeof AuditRefusal>;

export const AuditCheck = z
  .object({
    check: z
      .enum(["credential", "scope", "service", "operation", "limit", "call"])
      .describe("The check; `call` is the operation itself."),
    outcome: z.enum(["passed", "refused", "not_reached"]).describe("The result of the check."),
    keyId: typeId("apiKey")
      .nullable()
      .describe("The key that refused, or that has the limit; otherwise the calling key. Null for people."),
    asked: z
      .string()
      .nullable()
      .describe("The requested scope or service, or the selector of the operation or limit."),
    limit: z
      .object({
        kind: z.enum(["requestsPerMinute", "maxConcurrent", "creditsPerDay"]).describe("The kind of limit."),
        limit: z.number().describe("The maximum."),
        used: z
          .number()
          .nullable()
          .describe(
            "The calls of the minute up to this one, or the credits of the day; null if it is no longer known.",
          ),
      })
      .nullable()
      .describe("The limit's state; null for other checks."),
  })
  .meta({ id: "AuditCheck", description: "An access check of a call." });

export type AuditCheck = z.output<typeof AuditCheck>;

export const AuditBody = z
  .object({
    body: z.unknown().describe("The body as sent; null if it is not stored."),
    why: z.string().nullable().describe("The reason why the body is not stored; null if it is."),
  })
  .meta({ id: "AuditBody", description: "A call's body, if the run or approval that it created stores it." });

export const AuditEffects = z
  .object({
    entries: z
      .array(
        z.object({
          id: typeId("receipt"),
          description: z.string().describe("The description of the ledger entry."),
          amount: z.int().describe("The amount in credits; negative for a charge."),
        }),
      )
      .describe("The entries that the call made in the credit ledger."),
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
                status: z.string().describe("The status of the delivery."),
              }),
            )
            .describe("The deliveries of the event; at most 20 for all events together."),
        }),
      )
      .describe("The events about the call's resource that were stored during the call; at most 20."),
  })
  .meta({ id: "AuditEffects", description: "The effects of a call." });

export type AuditEffects = z.output<typeof AuditEffects>;

/** The query field that keeps calls answered with one HTTP status. */
export const statusFilter = (description: string) =>
  z
    .int()
    .min(100, "Send an HTTP status, 100 to 599.")
    .max(599, "Send an HTTP status, 100 to 599.")
    .optional()
    .meta({ description, examples: [429] });
