import { z } from "zod";
import { databaseTransfers } from "#db/schema/databases.ts";
import { defined } from "#server/base/defined.ts";
import { ApiError, invalid } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { enqueueTransfer } from "./enqueue.ts";
import { findTransfer, isTransfer, listParts, type PartRow, toTransfer } from "./rows.ts";
import { CompleteTransfer, Transfer, TransferParams } from "./schema.ts";

export const completeTransfer = operation({
  id: "databases.transfers.complete",
  method: "POST",
  path: "/databases/transfers/{transferId}/complete",
  summary: "Complete an import's upload",
  description:
    "Names every part with its checksum. The archive is then checked as a whole before anything is applied, and applied in one transaction.",
  scope: "databases:write",
  service: "managed-database",
  idempotent: true,
  params: TransferParams,
  body: CompleteTransfer,
  output: z.object({ transfer: Transfer }),
  status: 202,
  errors: ["not_found", "project_not_allowed", "state_conflict", "checksum_mismatch"],
  examples: {
    body: {
      parts: [{ partNumber: 1, sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" }],
    },
  },

  async handler({ params, body, caller, db }) {
    const row = await findTransfer(db, caller, params.transferId, true);
    if (row.status !== "uploading")
      throw new ApiError(
        "state_conflict",
        `The transfer is ${row.status}; only one that is uploading is completed.`,
      );
    const parts = await listParts(db, row);
    refuseOthers(body.parts, parts);
    const [next] = await db
      .update(databaseTransfers)
      .set({ status: "validating" })
      .where(isTransfer(row.accountId, row.id))
      .returning();
    await enqueueTransfer(db, row);
    return { transfer: toTransfer(defined(next), parts) };
  },
});

/** The named parts must be exactly the received ones, without a gap. */
function refuseOthers(
  named: readonly { partNumber: number; sha256: string }[],
  stored: readonly PartRow[],
): void {
  for (const [place, { partNumber, sha256 }] of named.entries()) {
    const path = `body.parts.${place}`;
    if (partNumber !== place + 1)
      throw invalid(
        `${path}.partNumber`,
        `Is ${partNumber} where part ${place + 1} stands: name all of them in order, without a hole.`,
      );
    const part = stored[place];
    if (part?.partNumber !== partNumber)
      throw invalid(`${path}.partNumber`, `Part ${partNumber} has not arrived. Upload it.`);
    if (part.sha256 !== sha256)
      throw new ApiError(
        "checksum_mismatch",
        `Part ${partNumber} has the SHA-256 ${part.sha256}, not ${sha256}. Upload it again.`,
      );
  }
  if (stored.length > named.length)
    throw invalid(
      "body.parts",
      `${stored.length} parts have arrived and ${named.length} are named. Name all of them.`,
    );
}
