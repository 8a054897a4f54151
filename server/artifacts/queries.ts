import type { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { artifacts } from "#db/schema/artifacts.ts";
import { keepBlob } from "#server/blobs/queries.ts";
import { newId } from "#server/ids.ts";
import { endUserNamed } from "#server/operation/tenancy.ts";
import type { StoredBlob } from "#server/providers/blobs/blob-store.ts";
import { ARTIFACT_LIMITS, type Artifact } from "./schema.ts";

type Row = typeof artifacts.$inferSelect;

export interface NewArtifact {
  run: Pick<Row, "accountId" | "projectId" | "endUserId" | "serviceId"> & { id: string };
  name: string;
  mediaType: string;
  /** As `writeBlob` answered it. */
  blob: StoredBlob;
  /** By default as long as artifacts are kept at most. */
  expiresAt?: Date;
}

/** The wire's form of a row. */
export function toArtifact(row: Row, endUser: string | null): z.input<typeof Artifact> {
  const { accountId: _, endUserId: __, blobKey: ___, ...artifact } = row;
  return {
    ...artifact,
    endUser,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}

/** Records an artifact of a run, with its content that `writeBlob` has stored before. */
export async function insertArtifact(
  tx: Transaction,
  { run, name, mediaType, blob, expiresAt }: NewArtifact,
): Promise<z.input<typeof Artifact>> {
  await keepBlob(tx, blob);
  const { id: runId, accountId, projectId, endUserId, serviceId } = run;
  const { key: blobKey, sizeBytes, sha256 } = blob;
  const lasts = ARTIFACT_LIMITS.lifetimeDays * 86_400_000;
  const [row] = await tx
    .insert(artifacts)
    .values({
      ...{ id: newId("artifact"), accountId, projectId, endUserId, runId, serviceId },
      ...{ name, mediaType, sizeBytes, sha256, blobKey },
      expiresAt: expiresAt ?? new Date(Date.now() + lasts),
    })
    .returning();
  return toArtifact(row as Row, await endUserNamed(tx, accountId, endUserId));
}
