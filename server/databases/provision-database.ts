import { randomBytes } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { tenantDatabases } from "#db/schema/databases.ts";
import { defined } from "#server/base/defined.ts";
import { toUuid } from "#server/base/ids.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import { ApiError } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { makeDatabase } from "./make-database.ts";
import {
  bytesOf,
  type DatabaseRow,
  databaseLimits,
  findDatabase,
  refuseBound,
  refuseUnconfigured,
  sealPassword,
  tenantOf,
} from "./queries.ts";
import { Database } from "./schema.ts";
import { clusterFault } from "./sql-faults.ts";
import { EMPTY_STRUCTURE } from "./structure-schema.ts";

export const provisionDatabase = operation({
  id: "databases.account.provision",
  method: "POST",
  path: "/databases/account",
  summary: "Provision the account's database",
  description: "Makes the account a PostgreSQL database and a role of its own. There is one per account.",
  scope: "databases:write",
  service: "managed-database",
  idempotent: true,
  external: true,
  output: z.object({ database: Database }),
  status: 201,
  errors: ["already_exists", "state_conflict", "project_not_allowed", "service_unavailable"],

  async handler({ caller, db, commit }) {
    refuseBound(caller);
    refuseUnconfigured();
    const row = await claimRow(db, caller.accountId);
    // Done by the administrator, whose connections no tenant's statements can use up.
    const sizeBytes = await makeDatabase(tenantOf(row)).then(
      () => bytesOf(row),
      (reason) => {
        throw clusterFault(reason);
      },
    );
    return commit(async (tx) => {
      const [ready] = await tx
        .update(tenantDatabases)
        .set({ status: "ready" })
        .where(
          and(
            eq(tenantDatabases.accountId, caller.accountId),
            eq(tenantDatabases.name, row.name),
            eq(tenantDatabases.status, "provisioning"),
          ),
        )
        .returning();
      if (!ready) throw existing();
      const createdAt = ready.createdAt.toISOString();
      const limits = databaseLimits();
      const database = { status: ready.status, limits, createdAt, sizeBytes, ...EMPTY_STRUCTURE };
      await emitEvent(tx, {
        type: "database.provisioned",
        accountId: caller.accountId,
        projectId: null,
        endUserId: null,
        resource: caller.accountId,
        data: { database },
      });
      return { database };
    });
  },
});

function existing(): ApiError {
  return new ApiError("already_exists", "The account has a database. There is one per account.");
}

/** Returns the row of the database to be created: a new one, or that of an unfinished attempt. */
async function claimRow(db: Db, accountId: string): Promise<DatabaseRow> {
  // Random, since other tenants may see it; begins with a letter, so that it needs no quotes.
  const name = `tenant_${randomBytes(12).toString("hex")}`;
  const { clusters } = platform().tenants;
  const place = Number.parseInt(toUuid("account", accountId).slice(-8), 16) % clusters.length;
  const cluster = defined(clusters[place]).name;
  const password = sealPassword(accountId, name, randomBytes(24).toString("base64url"));
  await db
    .insert(tenantDatabases)
    .values({ accountId, cluster, name, password, status: "provisioning" })
    .onConflictDoNothing();
  const row = await findDatabase(db, accountId);
  // The conflicting row was removed meanwhile.
  if (!row) return claimRow(db, accountId);
  if (row.status === "ready") throw existing();
  if (row.status === "deprovisioning")
    throw new ApiError(
      "state_conflict",
      "The account's database is being deprovisioned. Wait until it is gone.",
    );
  return row;
}
