import { and, eq, gte, inArray, lte } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { auditArchives, auditPersonKeys } from "#db/schema/audit.ts";
import type { BlobStore } from "#server/providers/blobs/blob-store.ts";
import type { EventLine } from "../export-format.ts";
import { readArchivedEvents } from "./archive-store.ts";
import { type ArchivedLine, openedLine, type PersonKeys, personsOf } from "./archived-line.ts";

/** Returns the keys of those persons who have one. */
export async function personKeys(
  db: Db | Transaction,
  accountId: string,
  persons: Iterable<string>,
): Promise<PersonKeys> {
  const rows = await db
    .select({ person: auditPersonKeys.personId, key: auditPersonKeys.key })
    .from(auditPersonKeys)
    .where(
      and(eq(auditPersonKeys.accountId, accountId), inArray(auditPersonKeys.personId, [...new Set(persons)])),
    );
  return new Map(rows.map(({ person, key }) => [person, key]));
}

/** Returns archived events with the names of persons who have not been erased. */
export async function openLines(
  db: Db | Transaction,
  accountId: string,
  lines: readonly ArchivedLine[],
): Promise<EventLine[]> {
  if (lines.length === 0) return [];
  const persons = lines.flatMap(({ kept }) => Object.values(personsOf(kept)));
  const ids = [...new Set(lines.flatMap(({ kept }) => kept.endUserId ?? []))];
  const keys = await personKeys(db, accountId, persons);
  const named = await db
    .select({ id: endUsers.id, externalId: endUsers.externalId })
    .from(endUsers)
    .where(and(eq(endUsers.accountId, accountId), inArray(endUsers.id, ids)));
  const externalIds = new Map(named.map(({ id, externalId }) => [id, externalId]));
  return lines.map((line) => openedLine(line, keys, externalIds));
}

/** Returns an account's events from the archive that has the one after `after`, up to and including `upTo`. */
export async function archivedPage(
  db: Db,
  blobs: BlobStore,
  accountId: string,
  after: number,
  upTo: number,
): Promise<EventLine[]> {
  const [archive] = await db
    .select()
    .from(auditArchives)
    .where(
      and(
        eq(auditArchives.accountId, accountId),
        lte(auditArchives.firstSequence, after + 1),
        gte(auditArchives.lastSequence, after + 1),
      ),
    );
  if (!archive) return [];
  const lines = (await readArchivedEvents(blobs, archive)).filter(({ event }) => {
    const sequence = event.sequence ?? 0;
    return sequence > after && sequence <= upTo;
  });
  return openLines(db, accountId, lines);
}
