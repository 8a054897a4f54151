import { type KeyObject, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { auditArchives, auditHeads, auditPersonKeys } from "#db/schema/audit.ts";
import { looseBlobs } from "#db/schema/blobs.ts";
import { currentMs } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { newUuid, timeOf, toUuid } from "#server/base/ids.ts";
import type { BlobStore } from "#server/providers/blobs/blob-store.ts";
import { eventLine, pageOf } from "../chained-events.ts";
import { exportLines } from "../export-lines.ts";
import { storeSignedHeads } from "../sign-heads.ts";
import { verifyExport } from "../verify-export.ts";
import { type Archive, ArchiveDamaged, pack, readArchive } from "./archive-store.ts";
import { personKeys } from "./archived-events.ts";
import { type ArchivedLine, archivedLine, facetsOf, personsOf, requestMarks } from "./archived-line.ts";

/** The time within which a written blob must be recorded; the sweep deletes it afterwards. */
const WRITING_MS = 30 * 60_000;

export interface Archiving {
  db: Db;
  blobs: BlobStore;
  /** Signs the heads between archives. */
  key: KeyObject;
}

/** The events of an account to archive: up to and including `end`, and before `before`. */
interface Part {
  accountId: string;
  end: number;
  before: Date;
}

const archivedUpTo = sql<number>`greatest(${auditHeads.archivedSequence}, ${auditHeads.droppedSequence})`;

/**
 * Archives the next page of an account's events: writes them to the blob store as an export, reads that back, verifies it,
 * and only then records it. Returns false if nothing is left to archive, or another process has archived the page.
 */
export async function writeArchive({ db, blobs, key }: Archiving, part: Part): Promise<boolean> {
  const { accountId } = part;
  const start = await archivedSequence(db, accountId);
  const lines = await linesAfter(db, start, part);
  const last = lines.at(-1);
  if (!last) return false;
  const end = defined(last.event.sequence);
  const head = { accountId, sequence: end, hash: Buffer.from(defined(last.event.hash), "hex") };
  await storeSignedHeads(db, key, [head]);
  const texts: string[] = [];
  for await (const line of exportLines(db, key, { accountId, from: null, to: null, start, end }, [lines]))
    texts.push(JSON.stringify(line));

  // If the process crashes after this point, the blob stays loose, and the sweep deletes it.
  const loose = { key: newUuid(), dueAt: new Date(currentMs() + WRITING_MS) };
  await db.insert(looseBlobs).values(loose);
  const { sizeBytes, sha256 } = await blobs.put(loose.key, Readable.from([await pack(texts)]));
  const ids = lines.map(({ event }) => event.id).sort();
  const archive: Archive = {
    accountId,
    firstSequence: start + 1,
    lastSequence: end,
    firstId: defined(ids[0]),
    lastId: defined(ids.at(-1)),
    blobKey: loose.key,
    sizeBytes,
    sha256: Buffer.from(sha256, "hex"),
  };
  const verified = await verifyExport(await readArchive(blobs, archive));
  if (verified.accountId !== accountId || verified.first !== start + 1 || verified.last !== end)
    throw new ArchiveDamaged(archive, "was changed in");
  return await db.transaction(async (tx) => {
    const advanced = await tx
      .update(auditHeads)
      .set({ archivedSequence: end })
      .where(and(eq(auditHeads.accountId, accountId), eq(archivedUpTo, start)))
      .returning({ accountId: auditHeads.accountId });
    // Another process was faster; this blob stays loose.
    if (advanced.length === 0) return false;
    // The sweep changes the time of a blob before it deletes it.
    const kept = await tx
      .delete(looseBlobs)
      .where(and(eq(looseBlobs.key, loose.key), eq(looseBlobs.dueAt, loose.dueAt)))
      .returning({ key: looseBlobs.key });
    if (kept.length === 0) throw new Error(`The archive ${loose.key} was not recorded in time.`);
    await tx
      .insert(auditArchives)
      .values({ ...archive, facets: facetsOf(lines), requests: requestMarks(lines) });
    return true;
  });
}

async function archivedSequence(db: Db, accountId: string): Promise<number> {
  const [head] = await db
    .select({ sequence: archivedUpTo.mapWith(Number) })
    .from(auditHeads)
    .where(eq(auditHeads.accountId, accountId));
  return defined(head).sequence;
}

/** Returns the next events in the format of an archive. */
async function linesAfter(db: Db, start: number, part: Part): Promise<ArchivedLine[]> {
  const { accountId } = part;
  const persons = (await readRows(db, start, part)).flatMap(({ chained }) =>
    Object.values(personsOf(chained)),
  );
  if (persons.length === 0) return [];
  await db
    .insert(auditPersonKeys)
    .values([...new Set(persons)].sort().map((personId) => ({ accountId, personId, key: randomBytes(32) })))
    .onConflictDoNothing();
  const keys = await personKeys(db, accountId, persons);
  // Rows are read again after the keys: an erasure has either cleared the row or deletes a key that was used.
  const rows = await readRows(db, start, part);
  return rows.map((row) => {
    const { actorId, endUserId, selector, refusal, replayOf } = row.chained;
    return archivedLine({ line: eventLine(row), actorId, endUserId, selector, refusal, replayOf }, keys);
  });
}

async function readRows(db: Db, start: number, { accountId, end, before }: Part) {
  const rows = await pageOf(db, accountId, start, end);
  const tooYoung = rows.findIndex(({ chained }) => timeOf(toUuid("auditEvent", chained.id)) >= before);
  return tooYoung === -1 ? rows : rows.slice(0, tooYoung);
}
