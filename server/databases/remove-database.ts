import { and, eq } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { tenantDatabases } from "#db/schema/databases.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import { endWriters } from "./commits.ts";
import { dropDatabase } from "./make-database.ts";
import { type DatabaseRow, databaseLimits, findDatabase, inTenant, tenantOf } from "./queries.ts";
import { isRemoved } from "./sql-faults.ts";
import { isEmpty } from "./structure.ts";
import { EMPTY_STRUCTURE } from "./structure-schema.ts";

const isRow = ({ accountId, name }: DatabaseRow) =>
  and(eq(tenantDatabases.accountId, accountId), eq(tenantDatabases.name, name));

/** Removes a database that was taken out of use. If repeated after a crash, it drops the rest. */
export async function removeDatabase(db: Db, row: DatabaseRow): Promise<void> {
  await dropDatabase(tenantOf(row));
  await db.transaction(async (tx) => {
    const gone = await tx.delete(tenantDatabases).where(isRow(row)).returning();
    if (gone.length === 0) return;
    await emitEvent(tx, {
      type: "database.deprovisioned",
      accountId: row.accountId,
      projectId: null,
      endUserId: null,
      resource: row.accountId,
      data: {
        database: {
          status: "absent",
          sizeBytes: 0,
          limits: databaseLimits(),
          ...EMPTY_STRUCTURE,
          createdAt: null,
        },
      },
    });
  });
}

/** Removes an empty database; one that was filled meanwhile is put back into use. */
export async function removeEmptyDatabase(db: Db, accountId: string): Promise<void> {
  const row = await findDatabase(db, accountId);
  if (row?.status !== "deprovisioning") return;
  const tenant = tenantOf(row);
  await endWriters(tenant);
  const options = { readOnly: true, timeoutMs: 10_000, signal: new AbortController().signal };
  const empty = await inTenant(tenant, options, isEmpty).catch((reason) => {
    // Dropped already if an earlier attempt was killed between the two.
    if (isRemoved(reason)) return true;
    throw reason;
  });
  if (empty) return removeDatabase(db, row);
  await keepDatabase(db, accountId);
}

/** Puts a database that was to be removed back into use. */
export async function keepDatabase(db: Db | Transaction, accountId: string): Promise<void> {
  const isLeaving = and(
    eq(tenantDatabases.accountId, accountId),
    eq(tenantDatabases.status, "deprovisioning"),
  );
  await db.update(tenantDatabases).set({ status: "ready" }).where(isLeaving);
}
