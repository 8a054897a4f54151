import { and, desc, eq } from "drizzle-orm";
import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { oauthGrants } from "#db/schema/oauth.ts";
import { longestDaysOf } from "#server/keys/lifetime.ts";
import type { Caller } from "#server/operation/caller.ts";
import { operation } from "#server/operation/operation.ts";
import { CLI, SCOPES, type Scope, scopesFor } from "#server/operation/scopes.ts";
import { services } from "#server/services/registry.ts";
import { SPENDING_SCOPES } from "./app-scopes.ts";
import { connectsApps, findRequest } from "./requests.ts";
import { AppRequest, RequestParams } from "./schema.ts";

const SPEND: readonly Scope[] = [...SPENDING_SCOPES, "wallets:sign", "credits:write"];

export const readAppRequest = operation({
  id: "apps.requests.read",
  method: "GET",
  path: "/app-requests/{requestId}",
  summary: "Read an app's request for access",
  scope: null,
  people: "members",
  surfaces: ["console"],
  params: RequestParams,
  output: z.object({ request: AppRequest }),
  errors: ["not_found"],

  async handler({ params, caller, db, request: { at } }) {
    const row = await findRequest(db, params.requestId);
    const last = await lastChoice(db, caller, row.app.id);
    const given = scopesFor(row.app.id).filter((scope) => caller.scopes.includes(scope));
    const limit = last?.limits["*"];
    return {
      request: {
        id: row.id,
        app: { ...row.app, verified: row.app.host !== null },
        status: statusOf(row, at),
        mayConnect: await connectsApps(db, caller),
        returnsTo: row.redirectUri === null ? null : returnsTo(row.redirectUri),
        maySpendFreely: row.app.id === CLI,
        scopes: given.map((scope) => ({
          scope,
          allows: SCOPES[scope],
          group: groupOf(scope),
          chosen:
            scope === "services:read" ||
            row.scopes.includes(scope) ||
            (last?.scopes.includes(scope) ?? false),
          isNew: last !== undefined && row.scopes.includes(scope) && !last.scopes.includes(scope),
          longestDays: longestDaysOf(scope),
        })),
        services: services().map(({ id, name }) => ({ id, name })),
        last: last
          ? {
              projectId: last.projectId,
              allowedServices: last.allowedServices,
              creditsPerDay: limit?.creditsPerDay ?? null,
              requestsPerMinute: limit?.requestsPerMinute ?? null,
            }
          : null,
        expiresAt: row.expiresAt.toISOString(),
      },
    };
  },
});

function statusOf(
  { decidedAt, expiresAt }: Awaited<ReturnType<typeof findRequest>>,
  at: Date,
): AppRequest["status"] {
  if (decidedAt) return "decided";
  return expiresAt <= at ? "expired" : "open";
}

function groupOf(scope: Scope): AppRequest["scopes"][number]["group"] {
  if (scope.endsWith(":read")) return "read";
  return SPEND.includes(scope) ? "spend" : "change";
}

/** Returns the policy that the member last gave the app. */
async function lastChoice(db: Db | Transaction, { accountId, id }: Caller, clientId: string) {
  const [row] = await db
    .select({
      scopes: apiKeys.scopes,
      projectId: apiKeys.projectId,
      allowedServices: apiKeys.allowedServices,
      limits: apiKeys.limits,
    })
    .from(oauthGrants)
    .innerJoin(apiKeys, and(eq(apiKeys.accountId, oauthGrants.accountId), eq(apiKeys.id, oauthGrants.keyId)))
    .where(
      and(
        eq(oauthGrants.accountId, accountId),
        eq(oauthGrants.clientId, clientId),
        eq(oauthGrants.memberId, id),
      ),
    )
    .orderBy(desc(oauthGrants.keyId))
    .limit(1);
  return row;
}

function returnsTo(redirectUri: string): NonNullable<AppRequest["returnsTo"]> {
  const { protocol, host } = new URL(redirectUri);
  if (protocol === "https:") return { kind: "web", address: host };
  if (protocol === "http:") return { kind: "computer", address: host };
  return { kind: "app", address: protocol.slice(0, -1) };
}
