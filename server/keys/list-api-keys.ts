import { and, eq, gt, isNotNull, isNull, lt, lte, sql } from "drizzle-orm";
import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { plannedAnew } from "#db/prepared.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { endUserFilter, ofEndUser } from "#server/operation/end-user-filter.ts";
import { idFilter, sentInstant } from "#server/operation/fields.ts";
import { matching, searchBy, WORD } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
import { expires, expirySql } from "./lifetime.ts";
import { manageableKeys, toApiKeys } from "./queries.ts";
import { ApiKey } from "./schema.ts";

const moment = (at: Date) => sql`${sql.param(at, apiKeys.expiresAt)}`;

export const listApiKeys = operation({
  id: "apiKeys.list",
  method: "GET",
  path: "/api-keys",
  summary: "List API keys",
  description:
    "Lists the calling key and its descendants, never keys of a sibling branch. Revoked and expired keys stay in the list.",
  scope: "api_keys:manage",
  query: CountedPageQuery.extend({
    status: ApiKey.shape.status.optional().describe("Only keys whose own status is this."),
    parentId: idFilter("apiKey").optional().describe("Only the children of this key."),
    projectId: idFilter("project").optional().describe("Only keys that are bound to this project."),
    endUser: endUserFilter("Only keys that are bound to"),
    search: searchBy("Only keys whose label, or the shown beginning of whose secret,"),
    expiresBefore: sentInstant
      .optional()
      .describe("Only keys whose expiry is before this time, expired ones included."),
    ...PeriodQuery.shape,
    sort: sortBy(["label"]),
  }),
  output: z.object({ apiKeys: z.array(ApiKey), nextCursor, total }),

  async handler({ query, caller, db, request }) {
    const page = pageOf("apiKey", apiKeys.id, query, { sorts: { label: apiKeys.label } });
    const now = moment(request.at);
    const status = {
      active: and(isNull(apiKeys.revokedAt), gt(expirySql, now)),
      expired: and(isNull(apiKeys.revokedAt), expires(lte, now)),
      revoked: isNotNull(apiKeys.revokedAt),
    };
    const condition = allOf(
      manageableKeys(caller),
      query.status && status[query.status],
      query.parentId ? eq(apiKeys.parentId, query.parentId) : undefined,
      query.projectId ? eq(apiKeys.projectId, query.projectId) : undefined,
      ofEndUser(apiKeys.endUserId, caller, query.endUser),
      query.search === undefined
        ? undefined
        : matching(query.search, {
            kind: "apiKey",
            id: apiKeys.id,
            columns: [apiKeys.label],
            plain: { columns: [apiKeys.prefix], made: WORD },
          }),
      query.expiresBefore ? expires(lt, moment(new Date(query.expiresBefore))) : undefined,
      within(apiKeys.id, query),
    );
    const found = await plannedAnew(db, (tx) =>
      tx.select().from(apiKeys).where(page.where(condition)).orderBy(page.order).limit(page.limit),
    );
    const { rows, nextCursor } = page.cut(found);
    const all = db.select().from(apiKeys).where(condition);
    const total =
      query.total && (await plannedAnew(db, (tx) => page.total(tx, () => all, { rows, nextCursor })));
    return { apiKeys: await toApiKeys(db, rows, { caller, at: request.at }), nextCursor, total };
  },
});
