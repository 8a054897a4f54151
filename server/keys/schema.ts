import { z } from "zod";
import { PRIVACY_TIERS } from "#server/operation/caller.ts";
import { exampleId, instant, label, sentInstant, typeId } from "#server/operation/fields.ts";
import { SCOPE_NAMES } from "#server/operation/scopes.ts";

const Scope = z
  .enum(SCOPE_NAMES, { error: (issue) => `Unknown scope ${JSON.stringify(issue.input)}.` })
  .meta({ id: "Scope" });
const count = z
  .number()
  .int("Send an integer.")
  .min(1, "At least 1.")
  .max(1_000_000_000, "At most 1,000,000,000.");

/** What a limit may say about a selector. */
export const Limit = z
  .strictObject({
    requestsPerMinute: count.optional().describe("Calls admitted in any 60 seconds."),
    maxConcurrent: count.optional().describe("Calls under way at a time."),
    creditsPerDay: count
      .optional()
      .describe("Credits charged on a UTC day; for credit-metered operations only."),
  })
  .refine(
    (value) => Object.keys(value).length > 0,
    "Say at least one of requestsPerMinute, maxConcurrent, creditsPerDay.",
  )
  .meta({ id: "Limit" });

export const ApiKey = z
  .object({
    id: typeId("apiKey"),
    label: z.string().describe("What the key is for."),
    prefix: z.string().describe("The first characters of the secret, to recognise it by."),
    scopes: z.array(Scope).describe("What the key may do."),
    allowedServices: z
      .array(z.string())
      .nullable()
      .describe("The services it reaches, over its whole chain; null: no key of the chain has a boundary."),
    allowedOperations: z
      .array(z.string())
      .nullable()
      .describe(
        "The exact selectors it reaches, over its whole chain; null: no key of the chain has a boundary, and it reaches those registered when it was made.",
      ),
    limits: z.record(z.string(), Limit).describe("Limits by selector, as they were sent."),
    expiresAt: instant.describe("When it expires."),
    expiryMode: z
      .enum(["fixed", "renewed_by_use"])
      .describe("Whether each authenticated request moves the expiry to 30 days from then."),
    status: z
      .enum(["active", "expired", "revoked"])
      .describe("The key's own state; an ancestor's stands in `invalidBecause`."),
    invalidBecause: z
      .enum(["ancestor_expired", "ancestor_revoked"])
      .nullable()
      .describe("Why an active key is refused all the same."),
    parentId: typeId("apiKey").nullable().describe("The key that made it; null for a root key."),
    depth: z.number().int().describe("0 for a root key; eight levels of delegation lie below it."),
    projectId: typeId("project").nullable().describe("The project that it is bound to for good."),
    app: z
      .object({
        id: z.string().describe("The app's `client_id`."),
        name: z.string().describe("What it calls itself."),
        host: z
          .string()
          .nullable()
          .describe("The host that vouches for it; null for one that registered itself."),
        verified: z.boolean().describe("Whether a host vouches for it."),
      })
      .nullable()
      .describe("The app that a person has connected, which calls with short-lived tokens of this key."),
    endUser: z.string().nullable().describe("The end user that it is bound to for good."),
    privacyTier: z.enum(PRIVACY_TIERS).describe("How long request data is kept."),
    createdAt: instant,
    lastUsedAt: instant.nullable().describe("When a request last authenticated with it."),
    revokedAt: instant.nullable().describe("When it was revoked."),
  })
  .meta({
    id: "ApiKey",
    description: "A bearer key and its policy, which never changes after it was made.",
    examples: [
      {
        id: exampleId("apiKey"),
        label: "Backend",
        prefix: "svc_live_4fQx7Z",
        scopes: ["projects:read", "services:invoke"],
        allowedServices: ["managed-memory"],
        allowedOperations: null,
        limits: { "*": { requestsPerMinute: 600 } },
        expiresAt: "2027-03-02T12:00:00.000Z",
        expiryMode: "fixed",
        status: "active",
        invalidBecause: null,
        parentId: "key_01jz4w0a2bexv9m6r8t1c5d7fg",
        depth: 1,
        projectId: exampleId("project"),
        app: null,
        endUser: null,
        privacyTier: "standard",
        createdAt: "2027-01-31T12:00:00.000Z",
        lastUsedAt: "2027-01-31T14:05:09.120Z",
        revokedAt: null,
      },
    ],
  });

export type ApiKey = z.output<typeof ApiKey>;

/** Why a connected app's access has ended. */
export const APP_ENDS = ["revoked", "expired", "token_reused", "membership_ended"] as const;
export type AppEnd = (typeof APP_ENDS)[number];

export const TreeKey = ApiKey.extend({
  children: z.number().int().describe("How many keys stand right below it, revoked and expired ones too."),
});

export type TreeKey = z.output<typeof TreeKey>;

export const KeyBranch = z
  .object({
    live: z.number().int().describe("How many working keys stand below it."),
    keys: z
      .array(
        z.object({
          id: typeId("apiKey"),
          label: z.string().meta({ description: "What the key is for.", examples: ["Night jobs"] }),
          depth: z.number().int().describe("0 for a root key."),
        }),
      )
      .describe("The first hundred of them, the nearest first."),
  })
  .describe("What revoking the key would take down beside it.");

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
    limits: z
      .array(
        z.object({
          selector,
          kind: limitKind,
          value: z.number().int().describe("The limit."),
          keyId: typeId("apiKey").describe("The key whose limit it is."),
        }),
      )
      .describe("The lowest of the chain, per selector and kind."),
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
    limits: z
      .array(
        z.object({
          selector,
          kind: limitKind,
          value: z.number().int().describe("The limit."),
          keyId: typeId("apiKey").describe("The key whose limit it is."),
        }),
      )
      .describe("The limits of the chain that the call counts against."),
    chain: z.array(ApiKey).describe("The root first, the key last."),
  })
  .describe("The access decision on a call, check by check.");

export type KeyDecision = z.output<typeof KeyDecision>;

/** The only answer that ever has the secret. */
export const MadeApiKey = z.object({
  apiKey: ApiKey,
  secret: z.string().meta({
    description: "The bearer key. Shown once; only its hash is stored.",
    examples: ["svc_live_4fQx7Z…"],
  }),
});

export const CreateApiKey = z.object({
  label: label.describe("What the key is for, 1 to 200 characters."),
  scopes: z.array(Scope).max(100).describe("What the key may do."),
  allowedServices: z
    .array(z.string().max(100))
    .max(1000)
    .optional()
    .describe("The services it reaches; empty: none."),
  excludedServices: z
    .array(z.string().max(100))
    .max(1000)
    .optional()
    .describe("All services available now but these, stored as an allowlist."),
  allowedOperations: z
    .array(z.string().max(300))
    .max(5000)
    .optional()
    .describe("Selectors it reaches; aggregates are expanded now."),
  excludedOperations: z
    .array(z.string().max(300))
    .max(5000)
    .optional()
    .describe("The parent's boundary without these selectors."),
  expiresAt: sentInstant
    .optional()
    .describe(
      "At most 365 days ahead; 90 with wallets:sign, wallets:transact, approvals:write or trading:execute.",
    ),
  limits: z
    .record(z.string().max(300), Limit)
    .optional()
    .describe("Limits by selector; `*` matches every authenticated operation."),
  projectId: typeId("project")
    .nullable()
    .optional()
    .describe("Binds the key, and all its children, to a project."),
  endUser: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .optional()
    .describe("Binds the key, and all its children, to an end user."),
  privacyTier: z.enum(PRIVACY_TIERS).optional().describe("By default the parent's; can't be looser."),
});

export type NewKey = z.output<typeof CreateApiKey>;
