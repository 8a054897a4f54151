import { z } from "zod";
import { databaseTransfers } from "#db/schema/databases.ts";
import { defined } from "#server/base/defined.ts";
import { ApiError } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { dropBlobs, findTransfer, isTransfer, toTransfer } from "./rows.ts";
import { Transfer, TransferParams } from "./schema.ts";

/**
 * An import that is being applied ends by itself; an ended transfer stays as it is, but a ready archive can be deleted.
 */
const CANCELLABLE = ["pending", "uploading", "validating", "building", "ready"];

export const cancelTransfer = operation({
  id: "databases.transfers.cancel",
  method: "DELETE",
  path: "/databases/transfers/{transferId}",
  summary: "Cancel an export or an import",
  description: "Deletes the received or built parts; of an export that is ready, its archive.",
  scope: "databases:write",
  service: "managed-database",
  idempotent: true,
  destructive: true,
  params: TransferParams,
  output: z.object({ transfer: Transfer }),
  errors: ["not_found", "project_not_allowed", "state_conflict"],

  async handler({ params, caller, db }) {
    const row = await findTransfer(db, caller, params.transferId, true);
    if (!CANCELLABLE.includes(row.status) || (row.final && row.status === "building"))
      throw new ApiError("state_conflict", `The transfer is ${row.status}; it can't be cancelled any more.`);
    await dropBlobs(db, row);
    const [ended] = await db
      .update(databaseTransfers)
      .set({ status: "cancelled", archive: null })
      .where(isTransfer(row.accountId, row.id))
      .returning();
    return { transfer: toTransfer(defined(ended), []) };
  },
});
