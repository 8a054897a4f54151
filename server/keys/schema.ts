import { z } from "zod";
import { PRIVACY_TIERS } from "#server/operation/caller.ts";
import { exampleId, instant, label, sentInstant, typeId } from "#server/operation/fields.ts";
import { SCOPE_NAMES } from "#server/operation/scopes.ts";

export const Scope = z
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
export type Limit = z.output<typeof Limit>;

/** An app that a person has connected. */
export const App = z.object({
  id: z.string().describe("The app's `client_id`."),
  name: z.string().describe("What it calls itself."),
  host: z.string().nullable().describe("The host that vouches for it; null for one that registered itself."),
  verified: z.boolean().describe("Whether a host vouches for it."),
});

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
    app: App.nullable().describe(
      "The app that a person has connected, which calls with short-lived tokens of this key.",
    ),
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
