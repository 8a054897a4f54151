import { z } from "zod";
import { operation } from "#server/operation/operation.ts";
import { findTransfer, listParts, toTransfer } from "./rows.ts";
import { Transfer, TransferParams } from "./schema.ts";

export const readTransfer = operation({
  id: "databases.transfers.read",
  method: "GET",
  path: "/databases/transfers/{transferId}",
  summary: "Read an export or an import",
  scope: "databases:read",
  service: "managed-database",
  params: TransferParams,
  output: z.object({ transfer: Transfer }),
  errors: ["not_found", "project_not_allowed"],

  async handler({ params, caller, db }) {
    const row = await findTransfer(db, caller, params.transferId);
    return { transfer: toTransfer(row, await listParts(db, row)) };
  },
});
