import { operation } from "#server/operation/operation.ts";
import { keyFaults } from "./boundary.ts";
import { makeKey } from "./make-key.ts";
import { chainOf } from "./queries.ts";
import { CreateApiKey, MadeApiKey } from "./schema.ts";

export const createApiKey = operation({
  id: "apiKeys.create",
  method: "POST",
  path: "/api-keys",
  summary: "Create an API key",
  description:
    "With a bearer key, creates a child that may do no more than any key above it. With the header `X-Service-Credit-Token` instead, creates an account's first key. Only this response contains `secret`.",
  scope: "api_keys:manage",
  stepUp: true,
  idempotent: true,
  creditToken: true,
  secretOutput: true,
  body: CreateApiKey,
  bodyFaults: keyFaults,
  output: MadeApiKey,
  status: 201,
  errors: [
    "delegation_exceeds_parent",
    "project_not_allowed",
    "end_user_not_allowed",
    "not_found",
    "state_conflict",
  ],
  examples: {
    body: {
      label: "Backend",
      scopes: ["projects:read", "services:invoke"],
      limits: { "*": { requestsPerMinute: 600 } },
    },
  },

  async handler({ body, caller, db, request: { at } }) {
    const { project, endUser } = caller;
    const byKey = caller.type === "key";
    const ancestors = byKey ? await chainOf(db, caller.accountId, caller.chain) : [];
    const above = { ancestors, project, endUser, usedAt: byKey ? at : undefined };
    return makeKey(db, body, { caller, at, above });
  },
});
