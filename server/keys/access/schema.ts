import { z } from "zod";
import { instant, typeId } from "#server/operation/fields.ts";
import { ApiKey, Scope } from "../schema.ts";

const deniedBy = typeId("apiKey")
  .nullable()
  .describe(
    "The highest key of the chain that refuses; null if no key does, or if the member's role refuses.",
  );

const selector = z.string().describe("A selector of operations, e.g. `projects.list`.");
const limitKind = z
  .enum(["requestsPerMinute", "maxConcurrent", "creditsPerDay"])
  .describe("The kind of limit.");

export const UsedLimit = z
  .object({
    keyId: typeId("apiKey").describe("The key that carries the limit."),
    selector,
    kind: limitKind,
    value: z.number().int().describe("The limit's value, in calls or credits."),
    used: z
      .number()
      .int()
      .describe(
        "How much is used now: calls in the last 60 seconds, running calls and runs, or credits on this UTC day.",
      ),
  })
  .describe("A key's own limit, with its current use.");

export type UsedLimit = z.output<typeof UsedLimit>;

export const KeyCalls = z
  .object({
    keyId: typeId("apiKey").describe("The key that called."),
    requests: z.number().int().describe("All its requests."),
    errors: z.number().int().describe("Those that were refused or failed, except by a limit."),
    limited: z.number().int().describe("Those that a limit refused."),
  })
  .describe("A key's own requests in the current hour and the 23 before it.");

export type KeyCalls = z.output<typeof KeyCalls>;

const limitOfKey = z.object({
  selector,
  kind: limitKind,
  value: z.number().int().describe("The limit's value, in calls or credits."),
  keyId: typeId("apiKey").describe("The key that carries the limit."),
});

/**
 * The permissions of a key, or those that a member could give to a key, and the key of the chain that decides each.
 */
export const KeyAccess = z
  .object({
    scopes: z
      .array(
        z.object({
          scope: Scope.describe("The name of the scope."),
          allows: z.string().describe("What it allows."),
          longestDays: z.number().int().describe("The longest lifetime of a key with this scope, in days."),
          allowed: z.boolean().describe("True if every key of the chain has the scope."),
          deniedBy,
        }),
      )
      .describe("Every scope of the platform."),
    services: z
      .array(
        z.object({
          id: z.string().describe("The service's id."),
          name: z.string().describe("The service's name."),
          allowed: z.boolean().describe("True if every service boundary of the chain includes the service."),
          deniedBy,
        }),
      )
      .describe("Every service."),
    operations: z
      .array(
        z.object({
          selector,
          scope: Scope.describe("The scope that the operation requires."),
          service: z
            .string()
            .nullable()
            .describe("The service whose boundary applies to the operation; null if none does."),
          denied: z
            .object({
              check: z.enum(["scope", "service", "operation"]).describe("The failing check."),
              keyId: deniedBy,
            })
            .nullable()
            .describe("The first check that refuses the operation; null if it is allowed."),
        }),
      )
      .describe("Every operation, by its exact selector."),
    limits: z.array(limitOfKey).describe("The lowest limit of the chain for each selector and kind."),
    expiry: z
      .object({ at: instant, keyId: typeId("apiKey").describe("The key that expires.") })
      .nullable()
      .describe("The earliest expiry in the chain."),
    selectors: z
      .array(
        z.object({
          selector,
          metered: z.boolean().describe("True if `creditsPerDay` can be set for the selector."),
        }),
      )
      .describe("The selectors that limits can be set for."),
  })
  .describe("Each scope, service, operation and limit, with the key of the chain that decides it.");

export type KeyAccess = z.output<typeof KeyAccess>;

const check = z.enum(["key", "scope", "service", "operation", "limit"]);

export const KeyDecision = z
  .object({
    operation: selector,
    allowed: z.boolean().describe("True if a call of the operation with this key would be admitted now."),
    deniedBy: z
      .object({
        check: check.describe("The first failing check."),
        keyId: typeId("apiKey").describe("The highest key of the chain that fails the check."),
      })
      .nullable()
      .describe("The refusal; null if the call would be admitted."),
    checks: z
      .array(
        z.object({
          check: check.describe("The check; checks run in this order."),
          state: z
            .enum(["passed", "refused", "not_reached"])
            .describe(
              "Whether the check passes. Limits are checked only for a call that passes the other checks.",
            ),
          needs: z
            .string()
            .nullable()
            .describe("The scope, service or selector that every key of the chain has to allow."),
          keyId: deniedBy,
        }),
      )
      .describe("Every check of the access decision, in order."),
    limits: z.array(limitOfKey).describe("The limits of the chain that the call counts against."),
    chain: z.array(ApiKey).describe("The delegation chain, from the root key to this key."),
  })
  .describe("The access decision on a call, with the result of every check.");

export type KeyDecision = z.output<typeof KeyDecision>;
