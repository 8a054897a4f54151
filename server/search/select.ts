import { type SQL, sql } from "drizzle-orm";
import { toUuid, uuidOf } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import type { Source } from "./source.ts";

/** Selects rows of a source as search results; `rows` may replace the table, under its name. */
export function select(source: Source, condition: SQL, limit: number, rows: SQL = sql`${source.table}`): SQL {
  const { columns, label, detail, parent } = source;
  return sql`(select ${source.kind} as kind, ${columns.id}::text as id, left(${label}, 300) as label, left(${detail}, 300) as detail,
    ${parent ? sql`${parent.id}::text` : sql`null`} as parent from ${rows} where ${condition} limit ${limit})`;
}

/** Returns the condition that restricts a query to the rows that the caller sees. */
export function mine({ columns, only }: Source, { accountId, project, endUser }: Caller): SQL {
  const parts = [sql`${columns.accountId} = ${toUuid("account", accountId)}::uuid`];
  if (only) parts.push(only);
  if (project && columns.projectId)
    parts.push(sql`${columns.projectId} = ${toUuid("project", project.id)}::uuid`);
  if (endUser && columns.endUserId)
    parts.push(endUser.id ? sql`${columns.endUserId} = ${uuidOf("endUser", endUser.id)}::uuid` : sql`false`);
  return sql.join(parts, sql` and `);
}
