import { and, eq, gt, sql } from "drizzle-orm";
import { z } from "zod";
import { artifacts } from "#db/schema/artifacts.ts";
import { refuseForeignService } from "#server/catalogue/queries.ts";
import { signedDownload } from "#server/downloads/queries.ts";
import { ByteResult } from "#server/operation/bytes.ts";
import { notFound } from "#server/operation/errors.ts";
import { instant, typeId } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { endUserNamed, visible } from "#server/operation/tenancy.ts";
import { contentOf, toArtifact } from "./queries.ts";
import { Artifact } from "./schema.ts";

export const readArtifactContent = operation({
  id: "artifacts.content.read",
  method: "GET",
  path: "/artifacts/{artifactId}/content",
  summary: "Download an artifact",
  description:
    "Streams the bytes, all of them or a range; `ETag` and `X-Content-Sha256` are their SHA-256. The key needs access to the service whose run produced it.",
  scope: "artifacts:read",
  params: z.object({ artifactId: typeId("artifact") }),
  output: z.object({
    artifact: Artifact,
    downloadUrl: z.string().meta({
      description: "Gives the bytes without a key, for a quarter of an hour, while the caller may read them.",
      examples: ["https://platform.example.com/downloads/WyJmaWxlIl0.c2lnbmF0dXJl"],
    }),
    downloadUrlExpiresAt: instant.describe("Until when."),
  }),
  bytes: { when: "always", mediaType: "application/octet-stream", description: "The artifact's bytes." },
  errors: ["not_found", "service_not_allowed"],

  async handler({ params, caller, db, request }) {
    const [row] = await db
      .select()
      .from(artifacts)
      .where(
        and(
          visible(artifacts, caller),
          eq(artifacts.id, params.artifactId),
          gt(artifacts.expiresAt, sql`now()`),
        ),
      );
    if (!row) throw notFound("artifact", params.artifactId);
    await refuseForeignService(db, caller, row.serviceId);
    if (request.wantsBytes(row.mediaType)) return new ByteResult(contentOf(row));
    const artifact = toArtifact(row, await endUserNamed(db, row.accountId, row.endUserId));
    const { accountId, id } = row;
    return { artifact, ...signedDownload({ kind: "artifact", accountId, id }, caller) };
  },
});
