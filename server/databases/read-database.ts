import { z } from "zod";
import { operation } from "#server/operation/operation.ts";
import {
  databaseLimits,
  findDatabase,
  inTenant,
  refuseBound,
  refuseUnconfigured,
  tenantOf,
} from "./queries.ts";
import { Database } from "./schema.ts";
import { isRemoved } from "./sql-faults.ts";
import { readStructure } from "./structure.ts";
import { EMPTY_STRUCTURE } from "./structure-schema.ts";

export const readDatabase = operation({
  id: "databases.account.read",
  method: "GET",
  path: "/databases/account",
  summary: "Read the account's database",
  description:
    "Returns the database's state, size and structure; the status is `absent` before it is provisioned.",
  scope: "databases:read",
  service: "managed-database",
  output: z.object({ database: Database }),
  errors: ["project_not_allowed", "service_unavailable"],

  async handler({ caller, db, request }) {
    refuseBound(caller);
    refuseUnconfigured();
    for (let before: string | null = null; ; ) {
      const row = await findDatabase(db, caller.accountId);
      const facts = {
        status: row?.status ?? ("absent" as const),
        limits: databaseLimits(),
        createdAt: row?.createdAt.toISOString() ?? null,
      };
      if (row?.status !== "ready") return { database: { ...facts, sizeBytes: 0, ...EMPTY_STRUCTURE } };
      const options = { readOnly: true, timeoutMs: 10_000, signal: request.signal };
      try {
        return { database: { ...facts, ...(await inTenant(tenantOf(row), options, readStructure)) } };
      } catch (reason) {
        // Removed meanwhile: responds with the current state.
        if (!isRemoved(reason) || row.name === before) throw reason;
        before = row.name;
      }
    }
  },
});
