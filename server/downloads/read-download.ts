import { z } from "zod";
import type { Db } from "#db/client.ts";
import { artifactContent, mayReadArtifacts } from "#server/artifacts/queries.ts";
import { fileContent, mayReadFiles } from "#server/files/queries.ts";
import { ByteResult, type Bytes } from "#server/operation/bytes.ts";
import { ApiError } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { type Download, openDownload } from "./queries.ts";

const KINDS = {
  artifact: { contentOf: artifactContent, mayRead: mayReadArtifacts },
  file: { contentOf: fileContent, mayRead: mayReadFiles },
};

/** Served at the root by a handler of its own, beside the registry: its caller is the address itself. */
export const readDownload = operation({
  id: "downloads.read",
  method: "GET",
  path: "/downloads/{token}",
  summary: "Download by a signed address",
  scope: null,
  params: z.object({ token: z.string().max(1000).describe("The signed text, with its signature.") }),
  output: z.object({}),
  bytes: { when: "always", mediaType: "application/octet-stream", description: "The bytes." },
  errors: ["not_found"],

  async handler({ params, db }) {
    const download = openDownload(params.token);
    const content = download && (await contentFor(db, download));
    if (content) return new ByteResult(content);
    throw new ApiError(
      "not_found",
      "This download does not exist, or its address has expired. Read the file or artifact again for a new one.",
    );
  },
});

/** Returns the bytes while the key or member who was given the address may read them. */
function contentFor(db: Db, { kind, accountId, id, readerId }: Download): Promise<Bytes | null> {
  const { contentOf, mayRead } = KINDS[kind];
  return contentOf(
    db,
    { accountId, id },
    readerId === null ? undefined : mayRead({ accountId, id: readerId }),
  );
}
