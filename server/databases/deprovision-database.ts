import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { databaseTransfers, tenantDatabases } from "#db/schema/databases.ts";
import { consumeApproval, serviceActionUse, unneeded } from "#server/approvals/queries.ts";
import { defined } from "#server/base/defined.ts";
import { newId } from "#server/base/ids.ts";
import { enqueueJob } from "#server/jobs/enqueue-job.ts";
import { ApiError } from "#server/operation/errors.ts";
import { exampleId, typeId } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { refuseUnarchivable } from "./archive/refuse-unarchivable.ts";
import {
  type DatabaseRow,
  databaseLimits,
  findDatabase,
  inTenant,
  readyDatabase,
  tenantOf,
} from "./queries.ts";
import { Database } from "./schema.ts";
import { isEmpty, readExtent, readStructure } from "./structure.ts";
import { enqueueTransfer } from "./transfers/enqueue.ts";
import { TRANSFER_LIMITS } from "./transfers/schema.ts";

export const deprovisionDatabase = operation({
  id: "databases.account.deprovision",
  method: "DELETE",
  path: "/databases/account",
  summary: "Deprovision the account's database",
  description:
    "Removes the database. One that holds anything needs an approved service action (`managed-database`, `deprovision`, input `{}`), and is kept as an export for seven days: `finalTransferId`.",
  scope: "databases:write",
  service: "managed-database",
  idempotent: true,
  external: true,
  destructive: true,
  approval: {
    operationId: "deprovision",
    input: z.strictObject({}),
    summarize: async ({ caller, db }) => {
      const row = await findDatabase(db, caller.accountId);
      const since = row ? ` of ${row.createdAt.toISOString().slice(0, 10)}` : "";
      return `Remove the account's database${since} with everything in it. An export of it can be read for seven days.`;
    },
    changes: async ({ caller, db }) => {
      const row = await findDatabase(db, caller.accountId);
      if (row?.status !== "ready") return [];
      const options = { readOnly: true, timeoutMs: 5_000, signal: AbortSignal.timeout(6_000) };
      const { tables, rows, bytes } = await inTenant(tenantOf(row), options, readExtent);
      const facts: [name: string, value: string][] = [
        ["Tables", tables.toLocaleString("en")],
        ["Rows, about", rows.toLocaleString("en")],
        ["Bytes", bytes.toLocaleString("en")],
      ];
      return facts.map(([name, before]) => ({ name, before, after: "0" }));
    },
  },
  query: z.object({
    approvalId: z
      .string()
      .max(200)
      .optional()
      .meta({
        description: "The approval of the service action, where the database holds anything.",
        examples: [exampleId("approval")],
      }),
  }),
  output: z.object({
    database: Database,
    finalTransferId: typeId("transfer")
      .nullable()
      .describe("The export that keeps its contents, for seven days; null if it was empty."),
  }),
  errors: ["project_not_allowed", "state_conflict", "approval_required", "service_unavailable"],

  async handler({ query, caller, db, request, commit }) {
    const tenant = await readyDatabase(db, caller);
    const options = { readOnly: true, timeoutMs: 10_000, signal: request.signal };
    const { empty, ...structure } = await inTenant(tenant, options, async (session) => {
      const empty = await isEmpty(session);
      // Its content is archived before, so an archive must be able to hold it.
      if (!empty) await refuseUnarchivable(session);
      return { empty, ...(await readStructure(session)) };
    });
    return commit(async (tx) => {
      const row = await take(tx, caller.accountId, tenant.database);
      if (!empty) {
        const action = { serviceId: "managed-database", operationId: "deprovision", input: {} };
        await consumeApproval(tx, {
          ...serviceActionUse({ ...action, approvalId: query.approvalId }),
          caller,
        });
      }
      if (empty && query.approvalId !== undefined)
        throw unneeded("query.approvalId", "Removing an empty database");
      const createdAt = row.createdAt.toISOString();
      return {
        database: { status: row.status, limits: databaseLimits(), ...structure, createdAt },
        finalTransferId: empty ? await enqueueRemoval(tx, row) : await startFinalExport(tx, row),
      };
    });
  },
});

/** Takes the database out of use: no further statement begins in it. */
async function take(tx: Transaction, accountId: string, name: string): Promise<DatabaseRow> {
  const [row] = await tx
    .update(tenantDatabases)
    .set({ status: "deprovisioning" })
    .where(
      and(
        eq(tenantDatabases.accountId, accountId),
        eq(tenantDatabases.name, name),
        eq(tenantDatabases.status, "ready"),
      ),
    )
    .returning();
  if (!row) throw new ApiError("state_conflict", "The database is being deprovisioned by another call.");
  return row;
}

/** Starts the final export; when that is ready, the database is removed. */
async function startFinalExport(tx: Transaction, { accountId }: DatabaseRow): Promise<string> {
  const [transfer] = await tx
    .insert(databaseTransfers)
    .values({
      accountId,
      id: newId("transfer"),
      direction: "export",
      status: "building",
      final: true,
      expiresAt: sql`clock_timestamp() + ${TRANSFER_LIMITS.lifetimeDays} * interval '1 day'`,
    })
    .returning();
  await enqueueTransfer(tx, defined(transfer));
  return defined(transfer).id;
}

async function enqueueRemoval(tx: Transaction, { accountId }: DatabaseRow): Promise<null> {
  await enqueueJob(tx, { task: "removeEmptyDatabase", payload: { accountId }, queue: `tenant/${accountId}` });
  return null;
}
