import { arrayOverlaps, eq, inArray, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { connections } from "#db/schema/connections.ts";
import type { Caller } from "#server/operation/caller.ts";
import { endUserFilter, ofEndUser } from "#server/operation/end-user-filter.ts";
import { matching, searchBy } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
import { visible } from "#server/operation/tenancy.ts";
import { entriesFor } from "./hosts.ts";
import { connectionColumns, ownEndUser, toConnection } from "./queries.ts";
import { Connection } from "./schema.ts";

/** The highest number of connections that are found by the index of hosts, which has no order. */
const MAX_BY_INDEX = 500;

/**
 * Matches connections whose entries allow a host, by their ids if there are few, since the planner cannot know that;
 * none if it is no host.
 */
async function allowing(db: Db | Transaction, caller: Caller, host: string): Promise<SQL> {
  const entries = entriesFor(host);
  if (entries === null) return sql`false`;
  const allowed = arrayOverlaps(connections.allowedHosts, entries);
  const few = await db
    .select({ id: connections.id })
    .from(connections)
    .where(allOf(visible(connections, caller), allowed))
    .limit(MAX_BY_INDEX + 1);
  const ids = few.map(({ id }) => id);
  return ids.length > MAX_BY_INDEX ? allowed : inArray(connections.id, ids);
}

export const listConnections = operation({
  id: "connections.list",
  method: "GET",
  path: "/connections",
  summary: "List connections",
  description: "Lists connections, newest first, without their secrets.",
  scope: "connections:read",
  query: CountedPageQuery.extend({
    status: Connection.shape.status.optional().describe("Only connections with this status."),
    authType: Connection.shape.authType.optional().describe("Only connections with this `authType`."),
    host: z
      .string()
      .trim()
      .max(300)
      .optional()
      .meta({
        description:
          "Only connections whose `allowedHosts` allow this `host:port`, or this `host` with port 443.",
        examples: ["api.shop.example"],
      }),
    endUser: endUserFilter("Only connections of"),
    search: searchBy("Only connections whose label or provider"),
    ...PeriodQuery.shape,
    sort: sortBy(["label"]),
  }),
  output: z.object({ connections: z.array(Connection), nextCursor, total }),

  async handler({ query, caller, db }) {
    const page = pageOf("connection", connections.id, query, { sorts: { label: connections.label } });
    const condition = allOf(
      visible(connections, caller),
      query.status && eq(connections.status, query.status),
      query.authType && eq(connections.authType, query.authType),
      query.host === undefined ? undefined : await allowing(db, caller, query.host),
      ofEndUser(connections.endUserId, caller, query.endUser),
      query.search === undefined
        ? undefined
        : matching(query.search, {
            kind: "connection",
            id: connections.id,
            columns: [connections.label, connections.provider],
          }),
      within(connections.id, query),
    );
    const found = await db
      .select(connectionColumns)
      .from(connections)
      .leftJoin(endUsers, ownEndUser)
      .where(page.where(condition))
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    const total = await page.total(db, () => db.select().from(connections).where(condition), {
      rows,
      nextCursor,
    });
    return { connections: rows.map(toConnection), nextCursor, total };
  },
});
