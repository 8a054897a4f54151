import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { files } from "#db/schema/files.ts";
import { dropBlob, removeBlob } from "#server/blobs/queries.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { endUserNamed, visible } from "#server/operation/tenancy.ts";
import { emitFile } from "./queries.ts";
import { File, FileParams } from "./schema.ts";

export const deleteFile = operation({
  id: "files.delete",
  method: "DELETE",
  path: "/files/{fileId}",
  summary: "Delete a file",
  description: "Deletes the file and its bytes permanently. Its download addresses stop working.",
  scope: "files:write",
  idempotent: true,
  external: true,
  destructive: true,
  params: FileParams,
  output: z.object({ file: File }),
  errors: ["not_found"],

  async handler({ params, caller, commit }) {
    let blobKey: string | undefined;
    const output = await commit(async (tx) => {
      const [row] = await tx
        .delete(files)
        .where(and(visible(files, caller), eq(files.id, params.fileId)))
        .returning();
      if (!row) throw notFound("file", params.fileId);
      await dropBlob(tx, row.blobKey);
      blobKey = row.blobKey;
      const endUser = await endUserNamed(tx, row.accountId, row.endUserId);
      return { file: await emitFile(tx, "file.deleted", row, endUser) };
    });
    if (blobKey) await removeBlob(blobKey);
    return output;
  },
});
