import { z } from "zod";
import { PRIVACY_TIERS } from "#server/operation/caller.ts";
import {
  endUserName,
  exampleId,
  instant,
  label,
  sentId,
  sentInstant,
  typeId,
} from "#server/operation/fields.ts";
import { SCOPE_NAMES } from "#server/operation/scopes.ts";
import { KEY_STATUSES } from "./statuses.ts";

export const Scope = z
  .enum(SCOPE_NAMES, { error: (issue) => `Unknown scope ${JSON.stringify(issue.input)}.` })
  .meta({ id: "Scope" });
/** The checks that can refuse a call. */
export const AccessCheck = z.enum(["scope", "service", "operation", "limit"]).meta({ id: "AccessCheck" });
const PrivacyTier = z.enum(PRIVACY_TIERS).meta({
  id: "PrivacyTier",
  description: "The privacy tier, which decides how long request data is kept.",
});
const count = z
  .number()
  .int("Send an integer.")
  .min(1, "At least 1.")
  .max(1_000_000_000, "At most 1,000,000,000.");

/** The limits for one selector. */
export const Limit = z
  .strictObject({
    requestsPerMinute: count.optional().describe("Calls admitted in any 60 seconds."),
    maxConcurrent: count.optional().describe("Calls that may run at the same time."),
    creditsPerDay: count
      .optional()
      .describe("Credits that may be charged on a UTC day; only for operations that cost credits."),
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
  name: z.string().describe("The name that the app gives itself."),
  host: z
    .string()
    .nullable()
    .describe("The host that publishes the app's metadata document; null for an app that registered itself."),
  verified: z.boolean().describe("True if a host publishes the app's metadata document."),
});

export const ApiKey = z
  .object({
    id: typeId("apiKey"),
    label: z.string().describe("A label that says what the key is for."),
    prefix: z.string().describe("The first characters of the secret, to recognise it by."),
    scopes: z.array(Scope).describe("The scopes of the key."),
    allowedServices: z
      .array(z.string())
      .nullable()
      .describe(
        "The services that the key may use, considering its whole chain; null: no key of the chain has a boundary.",
      ),
    allowedOperations: z
      .array(z.string())
      .nullable()
      .describe(
        "The exact selectors that the key may call, considering its whole chain; null: no key of the chain has a boundary, and it may call those that were registered when it was created.",
      ),
    limits: z.record(z.string(), Limit).describe("Limits by selector, as sent at creation."),
    expiresAt: instant.describe("When the key expires."),
    expiryMode: z
      .enum(["fixed", "renewed_by_use"])
      .describe("True if each authenticated request extends the expiry to 30 days from the request."),
    status: z.enum(KEY_STATUSES).meta({
      id: "ApiKeyStatus",
      description: "The key's own status; the effect of an ancestor's status is in `invalidBecause`.",
    }),
    invalidBecause: z
      .enum(["ancestor_expired", "ancestor_revoked"])
      .nullable()
      .describe("Why calls with an active key are refused; null if they are not."),
    parentId: typeId("apiKey").nullable().describe("The key above this one; null for a root key."),
    depth: z.number().int().describe("Level in the delegation tree: 0 for a root key, at most 8."),
    projectId: typeId("project")
      .nullable()
      .describe("The project that the key is permanently bound to; null if none."),
    app: App.nullable().describe(
      "The connected app that calls with short-lived tokens of this key; null for other keys.",
    ),
    endUser: z
      .string()
      .nullable()
      .describe("Your id of the end user that the key is permanently bound to; null if none."),
    privacyTier: PrivacyTier,
    createdAt: instant,
    lastUsedAt: instant
      .nullable()
      .describe("When a request was last authenticated with the key; null if never."),
    revokedAt: instant.nullable().describe("When the key was revoked; null if it was not."),
  })
  .meta({
    id: "ApiKey",
    description: "A bearer key and its policy, which never changes after creation.",
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
  children: z.number().int().describe("The number of its children, revoked and expired ones included."),
});

export type TreeKey = z.output<typeof TreeKey>;

export const KeyBranch = z
  .object({
    live: z.number().int().describe("The number of usable descendants."),
    keys: z
      .array(
        z.object({
          id: typeId("apiKey"),
          label: z
            .string()
            .meta({ description: "A label that says what the key is for.", examples: ["Night jobs"] }),
          depth: z.number().int().describe("Level in the delegation tree; 0 for a root key."),
        }),
      )
      .describe("The first hundred of these descendants, nearest first."),
  })
  .describe("The descendants that revoking the key would invalidate.");

/** The only response that contains the secret. */
export const MadeApiKey = z.object({
  apiKey: ApiKey,
  secret: z.string().meta({
    description: "The bearer key. Shown once; only its hash is stored.",
    examples: ["svc_live_4fQx7Z…"],
  }),
});

export const CreateApiKey = z.object({
  label: label.describe("A label that says what the key is for, 1 to 200 characters."),
  scopes: z.array(Scope).max(100).describe("The scopes of the key; each must be a scope of its parent."),
  allowedServices: z
    .array(z.string().max(100))
    .max(1000)
    .optional()
    .describe("The services that the key may use; an empty list allows none."),
  excludedServices: z
    .array(z.string().max(100))
    .max(1000)
    .optional()
    .describe("Allows all services available now except these; stored as an allowlist."),
  allowedOperations: z
    .array(z.string().max(300))
    .max(5000)
    .optional()
    .describe("Selectors that the key may call, e.g. `projects.list`; aggregates are expanded at creation."),
  excludedOperations: z
    .array(z.string().max(300))
    .max(5000)
    .optional()
    .describe("Allows the parent's selectors, except these."),
  expiresAt: sentInstant
    .optional()
    .describe(
      "When the key expires: at most 365 days ahead, or 90 with wallets:sign, wallets:transact, approvals:write or trading:execute.",
    ),
  limits: z
    .record(z.string().max(300), Limit)
    .optional()
    .describe("Limits by selector; `*` matches every authenticated operation."),
  projectId: sentId("project")
    .nullable()
    .optional()
    .describe("Id of a project to bind the key and all its descendants to."),
  endUser: endUserName
    .nullable()
    .optional()
    .describe("Your id of an end user to bind the key and all its descendants to."),
  privacyTier: PrivacyTier.optional().describe(
    "The privacy tier; by default the parent's. It can't be looser than the parent's.",
  ),
});

export type NewKey = z.output<typeof CreateApiKey>;
