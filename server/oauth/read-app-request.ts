import { and, desc, eq } from "drizzle-orm";
import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { oauthGrants } from "#db/schema/oauth.ts";
import { DAY_MS } from "#server/base/durations.ts";
import { longestDaysOf } from "#server/keys/lifetime.ts";
import type { Caller } from "#server/operation/caller.ts";
import { operation } from "#server/operation/operation.ts";
import { CLI, SCOPES, type Scope, scopesFor } from "#server/operation/scopes.ts";
import { services } from "#server/services/registry.ts";
import { SPENDING_SCOPES } from "./app-scopes.ts";
import { askerOf, connectsApps, findRequest } from "./requests.ts";
import { APP_DAYS, AppRequest, OFFERED_CREDITS, RequestParams } from "./schema.ts";

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
    return {
      request: {
        id: row.id,
        app: { ...row.app, verified: row.app.host !== null },
        status: statusOf(row, at),
        mayConnect: await connectsApps(db, caller),
        returnsTo: row.redirectUri === null ? null : returnsTo(row.redirectUri),
        program: row.redirectUri === null ? askerOf(row) : null,
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
        last: last ? choiceOf(last) : null,
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

type Last = NonNullable<Awaited<ReturnType<typeof lastChoice>>>;

function choiceOf({ scopes, projectId, allowedServices, limits, createdAt, expiresAt }: Last) {
  const { creditsPerDay, requestsPerMinute } = limits["*"] ?? {};
  const couldSpend = SPEND.some((scope) => scopes.includes(scope));
  // The key is made up to a minute after the choice.
  const days = Math.round(((expiresAt?.getTime() ?? 0) - createdAt.getTime()) / DAY_MS);
  return {
    projectId,
    allowedServices,
    creditsPerDay: creditsPerDay ?? (couldSpend ? null : OFFERED_CREDITS),
    requestsPerMinute: requestsPerMinute ?? null,
    days: APP_DAYS.find((offered) => offered >= days) ?? 1,
  };
}

/** Returns the policy that the member last gave the app. */
async function lastChoice(db: Db | Transaction, { accountId, id }: Caller, clientId: string) {
  const [row] = await db
    .select({
      scopes: apiKeys.scopes,
      projectId: apiKeys.projectId,
      allowedServices: apiKeys.allowedServices,
      limits: apiKeys.limits,
      createdAt: apiKeys.createdAt,
      expiresAt: apiKeys.expiresAt,
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
