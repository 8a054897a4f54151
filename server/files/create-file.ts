import { getTableColumns } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { files } from "#db/schema/files.ts";
import { newId } from "#server/base/ids.ts";
import { keepBlob, keeping, writeBlob } from "#server/blobs/queries.ts";
import { operation } from "#server/operation/operation.ts";
import { assignmentOf, endUserNamed } from "#server/operation/tenancy.ts";
import { emitFile, mayReadFiles, toFile } from "./queries.ts";
import { FILE_LIMITS, File, UploadHeaders } from "./schema.ts";

export const createFile = operation({
  id: "files.create",
  method: "POST",
  path: "/files",
  summary: "Upload a file",
  description:
    "The request body is the file's bytes, streamed. An upload that is interrupted, or whose bytes differ from `X-Content-Sha256`, stores nothing. A repeat with the same `Idempotency-Key` must have the same bytes.",
  scope: "files:write",
  idempotent: true,
  external: true,
  raw: {
    description: "The file's bytes.",
    maximumBytes: FILE_LIMITS.maximumBytes,
    headers: UploadHeaders,
  },
  output: z.object({ file: File }),
  status: 201,
  errors: ["quota_exceeded", "checksum_mismatch", "service_unavailable"],
  examples: { headers: { "X-File-Name": "invoice-2027-01.pdf", "X-Service-File-Purpose": "invoices" } },

  async handler({ upload, caller, commit }) {
    const { "X-File-Name": name, "X-Service-File-Purpose": purpose = null } = upload.headers;
    const { mediaType } = upload;
    const blob = await writeBlob(upload.content, {
      accountId: caller.accountId,
      kind: "files",
      sizeBytes: upload.sizeBytes,
      check: ({ sha256 }) => upload.confirm(sha256),
    });
    const { key: blobKey, sizeBytes, sha256 } = blob;
    const store = async (tx: Transaction) => {
      await keepBlob(tx, blob);
      const assigned = await assignmentOf(tx, caller);
      const [row] = await tx
        .insert(files)
        .values({ ...assigned, id: newId("file"), name, mediaType, sizeBytes, sha256, purpose, blobKey })
        .returning({ ...getTableColumns(files), readable: mayReadFiles(caller) });
      if (!row) throw new Error("The file was not inserted.");
      const endUser = await endUserNamed(tx, row.accountId, row.endUserId);
      await emitFile(tx, "file.created", row, endUser);
      return { file: toFile(row, endUser, row.readable ? caller : null) };
    };
    return keeping(blob, () => commit(store));
  },
});
