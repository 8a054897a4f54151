import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { z } from "zod";
import { allOf, anyOf } from "#db/conditions.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { files } from "#db/schema/files.ts";
import { endUserFilter, ofEndUser } from "#server/operation/end-user-filter.ts";
import { idFilter } from "#server/operation/fields.ts";
import { matching, ofContent, searchBy } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
import { visible } from "#server/operation/tenancy.ts";
import { mayReadFiles, toFile } from "./queries.ts";
import { File } from "./schema.ts";

export const listFiles = operation({
  id: "files.list",
  method: "GET",
  path: "/files",
  summary: "List files",
  description: "Lists files, newest first.",
  scope: "files:read",
  query: CountedPageQuery.extend({
    purpose: z
      .string()
      .max(200)
      .optional()
      .meta({
        description: "Only files with this purpose, exactly.",
        examples: ["invoices"],
      }),
    name: z
      .string()
      .max(2048)
      .optional()
      .meta({
        description: "Only files with this name, exactly.",
        examples: ["invoice-2027-01.pdf"],
      }),
    projectId: idFilter("project").optional().describe("Only files of this project."),
    endUser: endUserFilter("Only files of"),
    search: searchBy("Only files whose content has this SHA-256, in hex, or whose name"),
    ...PeriodQuery.shape,
    sort: sortBy(["name"]),
  }),
  output: z.object({ files: z.array(File), nextCursor, total }),

  async handler({ query, caller, db }) {
    const page = pageOf("file", files.id, query, { sorts: { name: files.name } });
    const { purpose, name, projectId, endUser, search } = query;
    const selected = allOf(
      visible(files, caller),
      purpose === undefined ? undefined : eq(files.purpose, purpose),
      name === undefined ? undefined : and(eq(files.nameHash, sql`md5(${name})::uuid`), eq(files.name, name)),
      projectId === undefined ? undefined : eq(files.projectId, projectId),
      ofEndUser(files.endUserId, caller, endUser),
      search === undefined
        ? undefined
        : anyOf(
            matching(search, { kind: "file", id: files.id, columns: [files.name] }),
            ofContent(files.sha256, search),
          ),
      within(files.id, query),
    );
    const found = await db
      .select({
        row: getTableColumns(files),
        endUser: endUsers.externalId,
        readable: mayReadFiles(caller),
      })
      .from(files)
      .leftJoin(endUsers, and(eq(endUsers.accountId, files.accountId), eq(endUsers.id, files.endUserId)))
      .where(page.where(selected))
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(
      found.map(({ row, endUser, readable }) => ({ ...row, endUser, reader: readable ? caller : null })),
    );
    const total = await page.total(db, () => db.select().from(files).where(selected), { rows, nextCursor });
    return {
      files: rows.map(({ endUser, reader, ...row }) => toFile(row, endUser, reader)),
      nextCursor,
      total,
    };
  },
});
