import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { artifacts } from "#db/schema/artifacts.ts";
import { currentMs } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { newId } from "#server/base/ids.ts";
import { keepBlob, readBlob } from "#server/blobs/queries.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import { questionOf } from "#server/operation/access.ts";
import type { Bytes } from "#server/operation/bytes.ts";
import type { Caller } from "#server/operation/caller.ts";
import { mayCall } from "#server/operation/explain-access.ts";
import { endUserNamed } from "#server/operation/tenancy.ts";
import { isMediaType } from "#server/operation/upload.ts";
import { platform } from "#server/platform.ts";
import type { StoredBlob } from "#server/providers/blobs/blob-store.ts";
import { ARTIFACT_LIMITS, type Artifact } from "./schema.ts";

const OTHER = "application/octet-stream";

type Row = typeof artifacts.$inferSelect;

export interface NewArtifact {
  run: Pick<Row, "accountId" | "projectId" | "endUserId" | "serviceId"> & { id: string };
  name: string;
  mediaType: string;
  /** The result of `writeBlob`. */
  blob: StoredBlob;
  /** Its lifetime; by default the maximum. */
  expiresAt?: Date;
}

/** Returns a row in its public form. */
export function toArtifact(row: Row, endUser: string | null): z.input<typeof Artifact> {
  const { accountId: _, endUserId: __, blobKey: ___, ...artifact } = row;
  return {
    ...artifact,
    endUser,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}

/** Inserts an artifact of a run, whose content `writeBlob` has stored before. */
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
      id: newId("artifact"),
      accountId,
      projectId,
      endUserId,
      runId,
      serviceId,
      name,
      mediaType: isMediaType(mediaType) ? mediaType : OTHER,
      sizeBytes,
      sha256,
      blobKey,
      expiresAt: expiresAt ?? new Date(currentMs() + lasts),
    })
    .returning();
  const artifact = toArtifact(defined(row), await endUserNamed(tx, accountId, endUserId));
  await emitEvent(tx, {
    type: "artifact.created",
    accountId,
    projectId,
    endUserId,
    serviceId,
    resource: artifact.id,
    data: { artifact },
  });
  return artifact;
}

/** Returns the condition, on an artifact's row, that a key or member may read its bytes now. */
export function mayReadArtifacts(reader: Pick<Caller, "accountId" | "id">): SQL<boolean> {
  const operation = { id: "artifacts.content.read", scope: "artifacts:read" } as const;
  const question = questionOf(operation, {}, platform().registrations);
  return mayCall(reader, { ...question, service: artifacts.serviceId });
}

/** Returns the bytes of an artifact for a download. */
export function contentOf({ name, mediaType, sizeBytes, sha256, blobKey }: Row): Bytes {
  return { name, mediaType, sizeBytes, sha256, open: (range) => readBlob(blobKey, range) };
}

/** Returns the bytes of the artifact with this id, if it has not expired and the condition holds. */
export async function artifactContent(
  db: Db | Transaction,
  { accountId, id }: { accountId: string; id: string },
  condition: SQL | undefined,
): Promise<Bytes | null> {
  const mine = and(eq(artifacts.accountId, accountId), eq(artifacts.id, id));
  const [row] = await db
    .select()
    .from(artifacts)
    .where(and(mine, gt(artifacts.expiresAt, sql`now()`), condition));
  return row ? contentOf(row) : null;
}
