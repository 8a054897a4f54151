import type { KeyObject } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { and, asc, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Database, Db } from "#db/client.ts";
import { auditHeads, auditPending, auditSignedHeads } from "#db/schema/audit.ts";
import { currentTime } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { toUuid } from "#server/base/ids.ts";
import { ApiError } from "#server/operation/errors.ts";
import { isFrozen } from "#server/operation/faults.ts";
import type { Replica } from "#server/operation/replica.ts";
import type { BlobStore } from "#server/providers/blobs/blob-store.ts";
import { archivedPage } from "./archive/archived-events.ts";
import { eventLine, PAGE, pageOf } from "./chained-events.ts";
import type { EventLine, ExportLine } from "./export-format.ts";
import { exportLines } from "./export-lines.ts";
import { sealBatch } from "./seal-events.ts";
import { signHead, storeSignedHeads } from "./sign-heads.ts";

export interface ExportRequest {
  accountId: string;
  from: string | null;
  to: string | null;
}

/** Stores with events besides the primary database. */
export interface ExportSources {
  replica?: Replica | null;
  /** The store of the archives. */
  blobs?: BlobStore | null;
}

/**
 * Yields an account's chained events of a period with everything that their offline verification needs: from the signed
 * head before the first event (or the chain's beginning) to the head at or after the last. That head is signed now if
 * it has no signature; a frozen account's signature is not stored. Events are read from the replica if there is one,
 * and missing ones from the primary.
 */
export async function* exportAudit(
  { db, client }: Database,
  key: KeyObject,
  { accountId, from, to }: ExportRequest,
  sources: ExportSources = {},
): AsyncGenerator<ExportLine> {
  await sealUntilNow(db, client, accountId);
  const reach = await reachOf(db, key, { accountId, from, to });
  if (!reach) throw new ApiError("not_found", `Account ${accountId} has no audit events in this period.`);
  const pages = eventPages(db, accountId, reach, sources);
  yield* exportLines(db, key, { accountId, from, to, ...reach }, pages);
}

/** Yields the pages of an account's chain: archived events from the archives, the others from the database. */
async function* eventPages(
  db: Db,
  accountId: string,
  { start, end }: { start: number; end: number },
  { replica, blobs }: ExportSources,
): AsyncGenerator<EventLine[]> {
  let archived = await archivedSequence(db, accountId);
  for (let after = start; after < end; ) {
    const lines =
      after < archived
        ? await archivedPage(db, defined(blobs), accountId, after, end)
        : await chainedPage(db, accountId, after, end, replica);
    if (lines[0]?.event.sequence !== after + 1) {
      // The month was archived meanwhile; otherwise events are missing, which the verification of the export finds.
      const before = archived;
      archived = await archivedSequence(db, accountId);
      if (archived > before) continue;
    }
    const upTo = lines.at(-1)?.event.sequence;
    if (!upTo) return;
    yield lines;
    after = upTo;
  }
}

async function archivedSequence(db: Db, accountId: string): Promise<number> {
  const [head] = await db
    .select({ sequence: auditHeads.archivedSequence })
    .from(auditHeads)
    .where(eq(auditHeads.accountId, accountId));
  return head?.sequence ?? 0;
}

async function chainedPage(
  db: Db,
  accountId: string,
  after: number,
  end: number,
  replica?: Replica | null,
): Promise<EventLine[]> {
  const onReplica = await replica?.read((standby) => pageOf(standby, accountId, after, end));
  const isWhole = onReplica && onReplica.length === Math.min(PAGE, end - after);
  return (isWhole ? onReplica : await pageOf(db, accountId, after, end)).map(eventLine);
}

/** Waits until every event that exists now is chained. */
async function sealUntilNow(db: Db, client: Database["client"], accountId: string): Promise<void> {
  const before = currentTime().toISOString();
  const waiting = and(
    eq(auditPending.accountId, accountId),
    lt(auditPending.id, sql`uuid_floor(${before}::timestamptz)`),
  );
  while ((await db.select().from(auditPending).where(waiting).limit(1)).length > 0) {
    if ((await sealBatch(client)).sealed === 0) await sleep(50);
  }
}

async function reachOf(db: Db, key: KeyObject, { accountId, from, to }: ExportRequest) {
  const [head] = await db.select().from(auditHeads).where(eq(auditHeads.accountId, accountId));
  if (!head) return null;
  const account = toUuid("account", accountId);
  const [found] = await db.execute<{ first: string | null; last: string | null }>(sql`
    select min(first) as first, max(last) as last from (
      select min(sequence) as first, max(sequence) as last from audit_chain
      where account_id = ${account} and sequence > ${head.droppedSequence}
        and (${from}::timestamptz is null or id >= uuid_floor(${from}::timestamptz))
        and (${to}::timestamptz is null or id < uuid_floor(${to}::timestamptz))
      union all
      select min(first_sequence), max(last_sequence) from audit_archives
      where account_id = ${account} and first_sequence > ${head.droppedSequence}
        and (${from}::timestamptz is null or last_id >= uuid_floor(${from}::timestamptz))
        and (${to}::timestamptz is null or first_id < uuid_floor(${to}::timestamptz))) reached`);
  if (!found?.first || !found.last) return null;
  const signed = (condition: SQL, order: SQL) =>
    db
      .select({ sequence: auditSignedHeads.sequence })
      .from(auditSignedHeads)
      .where(and(eq(auditSignedHeads.accountId, accountId), condition))
      .orderBy(order)
      .limit(1);
  const [before] = await signed(
    lt(auditSignedHeads.sequence, Number(found.first)),
    desc(auditSignedHeads.sequence),
  );
  const [after] = await signed(
    gte(auditSignedHeads.sequence, Number(found.last)),
    asc(auditSignedHeads.sequence),
  );
  const unstored = after ? null : await signEnd(db, key, head);
  return { start: before?.sequence ?? 0, end: after?.sequence ?? head.sequence, unstored };
}

/**
 * Signs a head and stores the signature; returns it unstored if the account is frozen, since none of its rows may
 * change.
 */
async function signEnd(db: Db, key: KeyObject, head: typeof auditHeads.$inferSelect) {
  try {
    await storeSignedHeads(db, key, [head]);
    return null;
  } catch (reason) {
    if (!isFrozen(reason)) throw reason;
    return signHead(key, head);
  }
}
