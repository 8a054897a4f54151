import { z } from "zod";
import { instant, typeId } from "#server/operation/fields.ts";
import { ApiKey, Scope } from "../schema.ts";

const deniedBy = typeId("apiKey")
  .nullable()
  .describe("The highest key of the chain that refuses; null where none does, or the member's role.");

const selector = z.string().describe("A selector of operations, e.g. `projects.list`.");
const limitKind = z
  .enum(["requestsPerMinute", "maxConcurrent", "creditsPerDay"])
  .describe("What is limited.");

export const UsedLimit = z
  .object({
    keyId: typeId("apiKey").describe("The key whose limit it is."),
    selector,
    kind: limitKind,
    value: z.number().int().describe("The limit."),
    used: z
      .number()
      .int()
      .describe("Calls of the last 60 seconds, calls and runs under way, or credits of the UTC day."),
  })
  .describe("A limit of a key's own, with what is used of it now.");

export type UsedLimit = z.output<typeof UsedLimit>;

const limitOfKey = z.object({
  selector,
  kind: limitKind,
  value: z.number().int().describe("The limit."),
  keyId: typeId("apiKey").describe("The key whose limit it is."),
});

/** What a key may do, or a member could give to one, and which key of the chain decides. */
export const KeyAccess = z
  .object({
    scopes: z
      .array(
        z.object({
          scope: Scope.describe("The scope."),
          allows: z.string().describe("What it allows."),
          longestDays: z.number().int().describe("How many days a key that holds it may live."),
          allowed: z.boolean().describe("Whether every key of the chain has it."),
          deniedBy,
        }),
      )
      .describe("Every scope."),
    services: z
      .array(
        z.object({
          id: z.string().describe("The service's id."),
          name: z.string().describe("The service's name."),
          allowed: z.boolean().describe("Whether it is inside every service boundary of the chain."),
          deniedBy,
        }),
      )
      .describe("Every service."),
    operations: z
      .array(
        z.object({
          selector,
          scope: Scope.describe("The scope that it needs."),
          service: z.string().nullable().describe("The service whose boundary applies to it."),
          denied: z
            .object({
              check: z.enum(["scope", "service", "operation"]).describe("The check."),
              keyId: deniedBy,
            })
            .nullable()
            .describe("The first check that refuses it; null where none does."),
        }),
      )
      .describe("Every exact selector."),
    limits: z.array(limitOfKey).describe("The lowest of the chain, per selector and kind."),
    expiry: z
      .object({ at: instant, keyId: typeId("apiKey").describe("The key that expires.") })
      .nullable()
      .describe("When the first key of the chain expires."),
    selectors: z
      .array(
        z.object({
          selector,
          metered: z.boolean().describe("Whether `creditsPerDay` can stand on it."),
        }),
      )
      .describe("What a limit can stand on."),
  })
  .describe("Each scope, service, operation and limit with the key that decides it.");

export type KeyAccess = z.output<typeof KeyAccess>;

const check = z.enum(["key", "scope", "service", "operation", "limit"]);

export const KeyDecision = z
  .object({
    operation: selector,
    allowed: z.boolean().describe("Whether a call of it with the key would be let through now."),
    deniedBy: z
      .object({
        check: check.describe("The first check that refuses."),
        keyId: typeId("apiKey").describe("The highest key of the chain that it refuses."),
      })
      .nullable()
      .describe("What refuses the call; null where nothing does."),
    checks: z
      .array(
        z.object({
          check: check.describe("What is looked at, in this order."),
          state: z
            .enum(["passed", "refused", "not_reached"])
            .describe("Limits are reached by a call that all else lets through."),
          needs: z.string().nullable().describe("What every key of the chain has to allow."),
          keyId: deniedBy,
        }),
      )
      .describe("Every check of the access decision."),
    limits: z.array(limitOfKey).describe("The limits of the chain that the call counts against."),
    chain: z.array(ApiKey).describe("The root first, the key last."),
  })
  .describe("The access decision on a call, check by check.");

export type KeyDecision = z.output<typeof KeyDecision>;
