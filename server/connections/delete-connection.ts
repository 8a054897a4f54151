import { z } from "zod";
import { endUsers } from "#db/schema/accounts.ts";
import { connections } from "#db/schema/connections.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { emitConnectionEvents } from "./connection-events.ts";
import { connectionColumns, oneVisible, ownEndUser } from "./queries.ts";
import { Connection, ConnectionParams } from "./schema.ts";

export const deleteConnection = operation({
  id: "connections.delete",
  method: "DELETE",
  path: "/connections/{connectionId}",
  summary: "Delete a connection",
  description:
    "Deletes the secret at once; later uses of the connection fail. Returns the connection as it was.",
  scope: "connections:write",
  idempotent: true,
  destructive: true,
  params: ConnectionParams,
  output: z.object({ connection: Connection }),
  errors: ["not_found"],

  async handler({ params, caller, db }) {
    const mine = oneVisible(caller, params.connectionId);
    const [row] = await db
      .select(connectionColumns)
      .from(connections)
      .leftJoin(endUsers, ownEndUser)
      .where(mine)
      .for("update", { of: connections });
    if (!row) throw notFound("connection", params.connectionId);
    await db.delete(connections).where(mine);
    return { connection: await emitConnectionEvents(db, row, "connection.deleted") };
  },
});
