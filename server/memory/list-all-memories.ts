import { and, arrayContains, eq, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { memories, memoryName } from "#db/schema/memory.ts";
import { projects } from "#db/schema/projects.ts";
import { toUuid } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { endUserFilter, ofEndUser } from "#server/operation/end-user-filter.ts";
import { matching, searchBy } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
import { visible } from "#server/operation/tenancy.ts";
import { contentBytes, isReadOnly, ownProject } from "./queries.ts";
import { ListedMemory, tag } from "./schema.ts";

/** The characters of a memory's content that a list shows. */
const BEGINNING = 200;

/** The highest number of a tag's memories that are found by the index of tags, which has no order. */
const MAX_BY_INDEX = 500;

/** Matches memories with a tag: by their ids if there are few, since the planner cannot know that. */
async function taggedWith(db: Db | Transaction, caller: Caller, tag: string): Promise<SQL> {
  const tagged = arrayContains(memories.tags, [tag]);
  const few = await db
    .select({ id: memories.id })
    .from(memories)
    .where(allOf(visible(memories, caller), tagged))
    .limit(MAX_BY_INDEX + 1);
  const ids = few.map(({ id }) => toUuid("memory", id));
  if (ids.length > MAX_BY_INDEX) return tagged;
  return allOf(tagged, sql`${memories.id} = any(${sql.param(ids)}::uuid[])`);
}

export const listAllMemories = operation({
  id: "memories.list",
  method: "GET",
  path: "/memories",
  surfaces: ["console"],
  summary: "List the account's memories",
  description:
    "Lists the memories of all projects and end users that the caller sees, newest first, with the beginning of each.",
  scope: "services:invoke",
  service: "managed-memory",
  query: CountedPageQuery.extend({
    search: searchBy("Only memories whose name"),
    tag: tag.optional().describe("Only memories that have this tag."),
    endUser: endUserFilter("Only memories of"),
    ...PeriodQuery.shape,
    sort: sortBy(["name"]),
  }),
  output: z.object({ memories: z.array(ListedMemory), nextCursor, total }),

  async handler({ query, caller, db }) {
    const page = pageOf("memory", memories.id, query, { sorts: { name: memoryName } });
    const condition = allOf(
      visible(memories, caller),
      query.search === undefined
        ? undefined
        : matching(query.search, { kind: "memory", id: memories.id, columns: [memories.name] }),
      query.tag === undefined ? undefined : await taggedWith(db, caller, query.tag),
      ofEndUser(memories.endUserId, caller, query.endUser),
      within(memories.id, query),
    );
    const { id, name, tags, projectId, createdAt, updatedAt } = memories;
    const found = await db
      .select({
        id,
        name,
        beginning: sql<string>`left(${memories.content}, ${BEGINNING})`,
        contentBytes,
        readOnly: isReadOnly,
        tags,
        projectId,
        endUser: endUsers.externalId,
        createdAt,
        updatedAt,
      })
      .from(memories)
      .leftJoin(projects, ownProject)
      .leftJoin(
        endUsers,
        and(eq(endUsers.accountId, memories.accountId), eq(endUsers.id, memories.endUserId)),
      )
      .where(page.where(condition))
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    const total = await page.total(db, () => db.select().from(memories).where(condition), {
      rows,
      nextCursor,
    });
    return {
      memories: rows.map(({ createdAt, updatedAt, ...row }) => ({
        ...row,
        createdAt: createdAt.toISOString(),
        updatedAt: updatedAt.toISOString(),
      })),
      nextCursor,
      total,
    };
  },
});
