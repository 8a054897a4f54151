import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { connections } from "#db/schema/connections.ts";
import { operation } from "#server/operation/operation.ts";
import { contains, nextCursor, PageQuery, pageOf, searchBy } from "#server/operation/page.ts";
import { visible } from "#server/operation/tenancy.ts";
import { connectionColumns, ownEndUser, toConnection } from "./queries.ts";
import { Connection } from "./schema.ts";

export const listConnections = operation({
  id: "connections.list",
  method: "GET",
  path: "/connections",
  summary: "List connections",
  description: "Lists connections, newest first, without their secrets.",
  scope: "connections:read",
  query: PageQuery.extend({
    search: searchBy("Only connections whose label"),
  }),
  output: z.object({ connections: z.array(Connection), nextCursor }),

  async handler({ query, caller, db }) {
    const page = pageOf("connection", connections.id, query);
    const found = await db
      .select(connectionColumns)
      .from(connections)
      .leftJoin(endUsers, ownEndUser)
      .where(
        page.where(
          allOf(
            visible(connections, caller),
            query.search ? contains(connections.label, query.search) : undefined,
          ),
        ),
      )
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    return { connections: rows.map(toConnection), nextCursor };
  },
});
