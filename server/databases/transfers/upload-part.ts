import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { databaseTransferParts, databaseTransfers } from "#db/schema/databases.ts";
import { dropBlob, keepBlob, keeping, writeBlob } from "#server/blobs/queries.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError, invalid } from "#server/operation/errors.ts";
import { typeId } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import type { StoredBlob } from "#server/providers/blobs/blob-store.ts";
import { findTransfer, isTransfer, listParts, type TransferRow } from "./rows.ts";
import { Part, TRANSFER_LIMITS } from "./schema.ts";

export const uploadPart = operation({
  id: "databases.transfers.part.upload",
  method: "PUT",
  path: "/databases/transfers/{transferId}/parts/{partNumber}",
  summary: "Upload a part of an archive",
  description:
    "Parts are consecutive pieces of one archive. They may arrive in any order and at the same time; one sent again replaces the earlier one.",
  scope: "databases:write",
  service: "managed-database",
  idempotent: true,
  external: true,
  params: z.object({
    transferId: typeId("transfer"),
    partNumber: z
      .string()
      .max(20)
      .meta({
        description: `The part's place in the archive, 1 to ${TRANSFER_LIMITS.maximumParts}.`,
        examples: ["1"],
      }),
  }),
  raw: {
    description: "The part's bytes.",
    mediaTypes: ["application/zip"],
    maximumBytes: TRANSFER_LIMITS.maximumPartBytes,
    headers: z.object({
      "X-Content-Sha256": z
        .string()
        .regex(/^[0-9a-f]{64}$/, "Send 64 lower-case hexadecimal digits.")
        .optional()
        .meta({
          description: "The expected SHA-256 of the bytes, hex; others are refused.",
          examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
        }),
    }),
  },
  output: z.object({ part: Part }),
  errors: [
    "not_found",
    "project_not_allowed",
    "quota_exceeded",
    "state_conflict",
    "checksum_mismatch",
    "service_unavailable",
  ],

  async handler({ params, caller, db, upload, commit }) {
    const partNumber = numberOf(params.partNumber);
    if (upload.sizeBytes === 0) throw invalid("body", "The part has no bytes. Send at least one.");
    refuseEnded(await findTransfer(db, caller, params.transferId));
    const blob = await writeBlob(upload.content, {
      accountId: caller.accountId,
      kind: "transfers",
      sizeBytes: upload.sizeBytes,
      check: ({ sha256 }) => upload.confirm(sha256),
    });
    return keeping(blob, () =>
      commit(async (tx) => ({ part: await storePart(tx, caller, params.transferId, partNumber, blob) })),
    );
  },
});

function numberOf(text: string): number {
  const number = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= TRANSFER_LIMITS.maximumParts) return number;
  throw invalid(
    "path.partNumber",
    `Is ${text}; parts are numbered from 1 to ${TRANSFER_LIMITS.maximumParts}.`,
  );
}

function refuseEnded({ direction, status }: TransferRow): void {
  if (direction === "import" && (status === "pending" || status === "uploading")) return;
  const text =
    direction === "export"
      ? "The transfer is an export; it takes no parts."
      : `The transfer is ${status}; it takes no more parts.`;
  throw new ApiError("state_conflict", text);
}

async function storePart(
  tx: Transaction,
  caller: Caller,
  transferId: string,
  partNumber: number,
  blob: StoredBlob,
) {
  const row = await findTransfer(tx, caller, transferId, true);
  refuseEnded(row);
  const { accountId } = caller;
  const earlier = await listParts(tx, row);
  const others = earlier.filter((part) => part.partNumber !== partNumber);
  const total = others.reduce((sum, part) => sum + part.sizeBytes, blob.sizeBytes);
  if (total > TRANSFER_LIMITS.maximumArchiveBytes)
    throw invalid(
      "body",
      `The archive would have ${total} bytes; it has at most ${TRANSFER_LIMITS.maximumArchiveBytes}.`,
    );
  await keepBlob(tx, blob);
  const replaced = earlier.find((part) => part.partNumber === partNumber);
  if (replaced) await dropBlob(tx, replaced.blobKey);
  const { key: blobKey, sizeBytes, sha256 } = blob;
  const stored = { blobKey, sizeBytes, sha256 };
  await tx
    .insert(databaseTransferParts)
    .values({ accountId, transferId, partNumber, ...stored })
    .onConflictDoUpdate({
      target: [
        databaseTransferParts.accountId,
        databaseTransferParts.transferId,
        databaseTransferParts.partNumber,
      ],
      set: stored,
    });
  await tx
    .update(databaseTransfers)
    .set({ status: sql`'uploading'` })
    .where(isTransfer(accountId, transferId));
  return { partNumber, sizeBytes, sha256 };
}
