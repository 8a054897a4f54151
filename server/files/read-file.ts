import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { files } from "#db/schema/files.ts";
import { ByteResult } from "#server/operation/bytes.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { endUserNamed, visible } from "#server/operation/tenancy.ts";
import { contentOf, toFile } from "./queries.ts";
import { File, FileParams } from "./schema.ts";

export const readFile = operation({
  id: "files.read",
  method: "GET",
  path: "/files/{fileId}",
  summary: "Read or download a file",
  description:
    "Returns the file's description; with `Accept: application/octet-stream`, or the file's own type, streams its bytes or a range of them.",
  scope: "files:read",
  params: FileParams,
  output: z.object({ file: File }),
  bytes: { when: "accepted", mediaType: "application/octet-stream", description: "The file's bytes." },
  errors: ["not_found"],

  async handler({ params, caller, db, request }) {
    const [row] = await db
      .select()
      .from(files)
      .where(and(visible(files, caller), eq(files.id, params.fileId)));
    if (!row) throw notFound("file", params.fileId);
    if (request.wantsBytes(row.mediaType)) return new ByteResult(contentOf(row));
    return { file: toFile(row, await endUserNamed(db, row.accountId, row.endUserId), caller) };
  },
});
