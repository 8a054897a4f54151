import { z } from "zod";
import { publicKeyOf } from "#server/base/ed25519.ts";
import { readBlob } from "#server/blobs/queries.ts";
import { ByteResult } from "#server/operation/bytes.ts";
import { ApiError } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { findTransfer, listParts, toTransfer } from "./rows.ts";
import { Transfer, TransferParams } from "./schema.ts";

export const readTransferArchive = operation({
  id: "databases.transfers.archive",
  method: "GET",
  path: "/databases/transfers/{transferId}/archive",
  summary: "Download an export's archive",
  description:
    "Returns a zip of the schema and of each table's rows, with a manifest that is signed (Ed25519); `X-Service-Archive-Public-Key` is base64 of the key's 32 bytes.",
  scope: "databases:read",
  service: "managed-database",
  params: TransferParams,
  output: z.object({ transfer: Transfer }),
  bytes: { when: "always", mediaType: "application/zip", description: "The archive." },
  errors: ["not_found", "project_not_allowed", "state_conflict", "service_unavailable"],

  async handler({ params, caller, db, request }) {
    const row = await findTransfer(db, caller, params.transferId);
    const { archive } = row;
    if (row.status !== "ready" || !archive) {
      const text = row.direction === "import" ? "an import and has no archive" : row.status;
      throw new ApiError("state_conflict", `The transfer is ${text}; only an export that is ready has one.`);
    }
    if (!request.wantsBytes("application/zip"))
      return { transfer: toTransfer(row, await listParts(db, row)) };
    const { key, sizeBytes, sha256 } = archive;
    return new ByteResult({
      name: `database-${row.id}.zip`,
      mediaType: "application/zip",
      sizeBytes,
      sha256,
      headers: { "x-service-archive-public-key": publicKeyOf(platform().settings.archiveSigningKey) },
      open: (range) => readBlob(key, range),
    });
  },
});
