import { and, count, eq, inArray, isNull } from "drizzle-orm";
import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { plannedAnew } from "#db/prepared.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { typeId } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, total } from "#server/operation/page.ts";
import { manageableKeys, toApiKeys } from "./queries.ts";
import { TreeKey } from "./schema.ts";

export const listChildKeys = operation({
  id: "apiKeys.children.list",
  method: "GET",
  path: "/api-keys/children",
  summary: "List the keys of one level",
  description:
    "For members: lists the root keys, or the children of one key, each with its number of children.",
  scope: "api_keys:manage",
  surfaces: ["console"],
  query: CountedPageQuery.extend({
    parentId: typeId("apiKey")
      .optional()
      .describe("The key whose children are listed; without it, the root keys are listed."),
  }),
  output: z.object({
    apiKeys: z.array(TreeKey).describe("The keys of the level, newest first."),
    nextCursor,
    total,
  }),

  async handler({ query, caller, db, request: { at } }) {
    const page = pageOf("apiKey", apiKeys.id, query);
    const level = query.parentId ? eq(apiKeys.parentId, query.parentId) : isNull(apiKeys.parentId);
    const condition = allOf(manageableKeys(caller), level);
    const found = await plannedAnew(db, (tx) =>
      tx.select().from(apiKeys).where(page.where(condition)).orderBy(page.order).limit(page.limit),
    );
    const { rows, nextCursor } = page.cut(found);
    const all = db.select().from(apiKeys).where(condition);
    const total =
      query.total && (await plannedAnew(db, (tx) => page.total(tx, () => all, { rows, nextCursor })));
    const ids = rows.map((row) => row.id);
    const counts = await db
      .select({ parentId: apiKeys.parentId, children: count() })
      .from(apiKeys)
      .where(and(manageableKeys(caller), inArray(apiKeys.parentId, ids)))
      .groupBy(apiKeys.parentId);
    const children = new Map(counts.map((row) => [row.parentId, row.children]));
    const keys = await toApiKeys(db, rows, { caller, at });
    return {
      apiKeys: keys.map((key) => ({ ...key, children: children.get(key.id) ?? 0 })),
      nextCursor,
      total,
    };
  },
});
