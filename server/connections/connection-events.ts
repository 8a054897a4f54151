import { and, eq } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { connections } from "#db/schema/connections.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import { type ConnectionRow, connectionColumns, ownEndUser, type Shown, toConnection } from "./queries.ts";

type ConnectionEvent =
  `connection.${"created" | "rotated" | "disabled" | "broken" | "recovered" | "deleted"}`;

/** Emits a connection's events in the transaction of its change. Returns its public form. */
export async function emitConnectionEvents(tx: Transaction, row: Shown, ...types: ConnectionEvent[]) {
  const { accountId, projectId, endUserId, id } = row;
  const connection = toConnection(row);
  for (const type of types)
    await emitEvent(tx, {
      type,
      accountId,
      projectId,
      endUserId,
      resource: id,
      data: { connection },
    });
  return connection;
}

/** Emits an event with the connection's current state. */
export async function emitConnectionEventById(
  tx: Transaction,
  { accountId, id }: Pick<ConnectionRow, "accountId" | "id">,
  type: ConnectionEvent,
): Promise<void> {
  const [row] = await tx
    .select(connectionColumns)
    .from(connections)
    .leftJoin(endUsers, ownEndUser)
    .where(and(eq(connections.accountId, accountId), eq(connections.id, id)));
  if (row) await emitConnectionEvents(tx, row, type);
}
