import { z } from "zod";
import { endUsers } from "#db/schema/accounts.ts";
import { connections } from "#db/schema/connections.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { connectionColumns, oneVisible, ownEndUser, toConnection } from "./queries.ts";
import { Connection, ConnectionParams } from "./schema.ts";

export const readConnection = operation({
  id: "connections.read",
  method: "GET",
  path: "/connections/{connectionId}",
  summary: "Read a connection",
  description: "Returns the connection's hosts, settings and status. No operation returns its secret.",
  scope: "connections:read",
  params: ConnectionParams,
  output: z.object({ connection: Connection }),
  errors: ["not_found"],

  async handler({ params, caller, db }) {
    const [row] = await db
      .select(connectionColumns)
      .from(connections)
      .leftJoin(endUsers, ownEndUser)
      .where(oneVisible(caller, params.connectionId));
    if (!row) throw notFound("connection", params.connectionId);
    return { connection: toConnection(row) };
  },
});
