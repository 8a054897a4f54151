import { sql } from "drizzle-orm";
import { z } from "zod";
import { databaseTransfers } from "#db/schema/databases.ts";
import { defined } from "#server/base/defined.ts";
import { newId } from "#server/base/ids.ts";
import { ApiError, invalid } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { inTenant, readyDatabase } from "../queries.ts";
import { isEmpty } from "../structure.ts";
import { enqueueTransfer } from "./enqueue.ts";
import { toTransfer } from "./rows.ts";
import { CreateTransfer, TRANSFER_LIMITS, Transfer } from "./schema.ts";

export const createTransfer = operation({
  id: "databases.transfers.create",
  method: "POST",
  path: "/databases/transfers",
  summary: "Start an export or an import of the account's database",
  description:
    "An export returns 202 and is built in the background; when it is `ready`, its archive can be downloaded. An import returns 201; upload the archive in parts. It requires an empty database.",
  scope: "databases:write",
  service: "managed-database",
  idempotent: true,
  external: true,
  body: CreateTransfer,
  output: z.object({ transfer: Transfer }),
  status: 202,
  otherStatuses: { 201: "An import waits for its parts." },
  errors: ["project_not_allowed", "state_conflict", "service_unavailable"],
  examples: { body: { direction: "export" } },

  async handler({ body: { direction, dryRun }, caller, db, request, response, commit }) {
    if (direction === "export" && dryRun !== undefined)
      throw invalid("body.dryRun", "An export changes nothing. Leave it out.");
    const tenant = await readyDatabase(db, caller);
    if (direction === "import" && !dryRun) {
      const options = { readOnly: true, timeoutMs: 10_000, signal: request.signal };
      if (!(await inTenant(tenant, options, isEmpty)))
        throw new ApiError(
          "state_conflict",
          "The database is not empty; an import requires an empty one. Drop its objects, or send `dryRun` to compare.",
        );
    }
    return commit(async (tx) => {
      const [row] = await tx
        .insert(databaseTransfers)
        .values({
          accountId: caller.accountId,
          id: newId("transfer"),
          direction,
          status: direction === "export" ? "building" : "pending",
          dryRun: dryRun ?? false,
          expiresAt: sql`clock_timestamp() + ${TRANSFER_LIMITS.lifetimeDays} * interval '1 day'`,
        })
        .returning();
      if (direction === "export") await enqueueTransfer(tx, defined(row));
      else response.status(201);
      return { transfer: toTransfer(defined(row), []) };
    });
  },
});
