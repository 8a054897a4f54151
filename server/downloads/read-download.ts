import { z } from "zod";
import { artifactContent } from "#server/artifacts/queries.ts";
import { fileContent } from "#server/files/queries.ts";
import { ByteResult } from "#server/operation/bytes.ts";
import { ApiError } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { openDownload } from "./queries.ts";

const CONTENT = { artifact: artifactContent, file: fileContent };

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
    const content = download && (await CONTENT[download.kind](db, download));
    if (content) return new ByteResult(content);
    throw new ApiError(
      "not_found",
      "This download does not exist, or its address has expired. Read the file or artifact again for a new one.",
    );
  },
});
