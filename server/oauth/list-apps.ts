import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { members, users } from "#db/schema/accounts.ts";
import { apiKeys, keyDays } from "#db/schema/keys.ts";
import { oauthGrants } from "#db/schema/oauth.ts";
import { expiryOf } from "#server/keys/lifetime.ts";
import { ApiError } from "#server/operation/errors.ts";
import { matching, searchBy } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
import { isAdmin } from "#server/operation/roles.ts";
import { ConnectedApp } from "./schema.ts";

export const listApps = operation({
  id: "apps.list",
  method: "GET",
  path: "/apps",
  summary: "List connected apps",
  description: "Lists the apps that have access now.",
  scope: null,
  people: "members",
  surfaces: ["console"],
  query: CountedPageQuery.extend({
    whose: z
      .enum(["mine", "all"])
      .default("mine")
      .describe("The apps that the member connected; for admins and owners, those of every member."),
    search: searchBy("Only apps whose id, name or host, or the name of whose member,"),
    ...PeriodQuery.shape,
    sort: sortBy(),
  }),
  output: z.object({ apps: z.array(ConnectedApp), nextCursor, total }),

  async handler({ query, caller, db, request: { at } }) {
    const { whose } = query;
    if (whose === "all" && !(caller.type === "member" && isAdmin(caller.role)))
      throw new ApiError("scope_missing", "Only an admin or an owner sees the apps of others.");
    const page = pageOf("apiKey", oauthGrants.keyId, query);
    const live = allOf(
      eq(oauthGrants.accountId, caller.accountId),
      whose === "mine" ? eq(oauthGrants.memberId, caller.id) : undefined,
      isNull(apiKeys.revokedAt),
      gt(apiKeys.expiresAt, at),
      query.search === undefined
        ? undefined
        : matching(query.search, {
            kind: "apiKey",
            id: oauthGrants.keyId,
            columns: [oauthGrants.clientId, oauthGrants.clientName, oauthGrants.host, users.name],
          }),
      within(oauthGrants.keyId, query),
    );
    const found = await selectApps(db).where(page.where(live)).orderBy(page.order).limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    const apps = rows.map(({ id, grant, key, member, spentToday }) => ({
      id,
      app: { id: grant.clientId, name: grant.clientName, host: grant.host, verified: grant.host !== null },
      member,
      scopes: key.scopes,
      spentToday: spentToday ?? 0,
      creditsPerDay: key.limits["*"]?.creditsPerDay ?? null,
      connectedAt: key.createdAt.toISOString(),
      lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
      expiresAt: expiryOf(key).toISOString(),
    }));
    const total = await page.total(db, () => selectApps(db).where(live), { rows, nextCursor });
    return { apps, nextCursor, total };
  },
});

/** Selects grants with their key, member and credits of today; the caller adds the account condition. */
function selectApps(db: Db | Transaction) {
  return db
    .select({
      id: oauthGrants.keyId,
      grant: oauthGrants,
      key: apiKeys,
      member: { id: members.id, name: users.name },
      spentToday: keyDays.used,
    })
    .from(oauthGrants)
    .innerJoin(apiKeys, and(eq(apiKeys.accountId, oauthGrants.accountId), eq(apiKeys.id, oauthGrants.keyId)))
    .innerJoin(
      members,
      and(eq(members.accountId, oauthGrants.accountId), eq(members.id, oauthGrants.memberId)),
    )
    .innerJoin(users, eq(users.id, members.userId))
    .leftJoin(
      keyDays,
      and(
        eq(keyDays.accountId, oauthGrants.accountId),
        eq(keyDays.keyId, oauthGrants.keyId),
        eq(keyDays.selector, "*"),
        eq(keyDays.day, sql`utc_today()`),
      ),
    )
    .$dynamic();
}
