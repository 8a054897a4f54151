import type { KeyObject } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { and, asc, desc, eq, getTableColumns, gt, gte, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Database, Db } from "#db/client.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { auditChain, auditHeads, auditPending, auditSignedHeads } from "#db/schema/audit.ts";
import { ApiError } from "#server/operation/errors.ts";
import type { Replica } from "#server/operation/replica.ts";
import { digestOf, PERSONAL_FIELDS, type Personal, SALT_BYTES } from "./chain.ts";
import { type ExportLine, endStatement, type PersonalProof, personalOf } from "./export-format.ts";
import { toAuditEvent } from "./queries.ts";
import type { AuditEvent } from "./schema.ts";
import { sealBatch } from "./seal-events.ts";
import { storeSignedHeads } from "./sign-heads.ts";
import { signStatement } from "./signatures.ts";

const PAGE = 1000;

export interface ExportRequest {
  accountId: string;
  from: string | null;
  to: string | null;
}

/**
 * An account's chained events of a period with what is needed to verify them offline, from the signed head before the
 * first of them (or the chain's beginning) to the one at or after the last, which is signed now where there is none yet.
 * Events are read from the replica where there is one, and what it does not have yet from the primary.
 */
export async function* exportAudit(
  { db, client }: Database,
  key: KeyObject,
  { accountId, from, to }: ExportRequest,
  replica: Replica | null = null,
): AsyncGenerator<ExportLine> {
  await sealUntilNow(db, client, accountId);
  const reach = await reachOf(db, key, { accountId, from, to });
  if (!reach) throw new ApiError("not_found", `Account ${accountId} has no audit events in this period.`);
  const { start, end } = reach;
  yield { type: "export", format: 1, accountId, from, to, start };
  yield* await headsBetween(db, accountId, start - 1, start);
  let last: AuditEvent | undefined;
  for (let after = start; after < end; ) {
    const onReplica = await replica?.read((standby) => pageOf(standby, accountId, after, end));
    const isWhole = onReplica && onReplica.length === Math.min(PAGE, end - after);
    const rows = isWhole ? onReplica : await pageOf(db, accountId, after, end);
    const upTo = rows.at(-1)?.chained.sequence;
    if (upTo === undefined) break;
    const heads = await headsBetween(db, accountId, after, upTo);
    for (const row of rows) {
      const line = eventLine(row);
      last = line.event;
      yield line;
      yield* heads.filter((head) => head.sequence === last?.sequence);
    }
    after = upTo;
  }
  const facts = { accountId, start, end, hash: last?.hash ?? "", exportedAt: new Date().toISOString() };
  yield { type: "end", ...facts, ...signStatement(key, endStatement(facts)) };
}

/** Waits until what was answered before now is chained. */
async function sealUntilNow(db: Db, client: Database["client"], accountId: string): Promise<void> {
  const before = new Date().toISOString();
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
  const [found] = await db
    .select({
      first: sql<string | null>`min(${auditChain.sequence})`,
      last: sql<string | null>`max(${auditChain.sequence})`,
    })
    .from(auditChain)
    .where(
      and(
        eq(auditChain.accountId, accountId),
        gt(auditChain.sequence, head.droppedSequence),
        from === null ? undefined : gte(auditChain.id, sql`uuid_floor(${from}::timestamptz)`),
        to === null ? undefined : lt(auditChain.id, sql`uuid_floor(${to}::timestamptz)`),
      ),
    );
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
  if (!after) await storeSignedHeads(db, key, [head]);
  return { start: before?.sequence ?? 0, end: after?.sequence ?? head.sequence };
}

async function headsBetween(db: Db, accountId: string, after: number, upTo: number) {
  const rows = await db
    .select()
    .from(auditSignedHeads)
    .where(
      and(
        eq(auditSignedHeads.accountId, accountId),
        gt(auditSignedHeads.sequence, after),
        lte(auditSignedHeads.sequence, upTo),
      ),
    )
    .orderBy(asc(auditSignedHeads.sequence));
  return rows.map(({ sequence, hash, signedAt, signature, publicKey }) => ({
    type: "head" as const,
    accountId,
    sequence,
    hash: Buffer.from(hash).toString("hex"),
    signedAt: signedAt.toISOString(),
    signature: Buffer.from(signature).toString("base64"),
    publicKey: Buffer.from(publicKey).toString("base64"),
  }));
}

type Row = Awaited<ReturnType<typeof pageOf>>[number];

function pageOf(db: Db, accountId: string, after: number, upTo: number) {
  return db
    .select({ chained: getTableColumns(auditChain), endUser: endUsers.externalId })
    .from(auditChain)
    .leftJoin(
      endUsers,
      and(eq(endUsers.accountId, auditChain.accountId), eq(endUsers.id, auditChain.endUserId)),
    )
    .where(
      and(
        eq(auditChain.accountId, accountId),
        gt(auditChain.sequence, after),
        lte(auditChain.sequence, upTo),
      ),
    )
    .orderBy(asc(auditChain.sequence))
    .limit(PAGE);
}

function eventLine({ chained, endUser }: Row) {
  const {
    accountId,
    selector,
    refusal,
    counted,
    endUserId,
    salt,
    actorLabelDigest,
    ipDigest,
    userAgentDigest,
    endUserDigest,
    ...facts
  } = chained;
  const event = toAuditEvent({ ...facts, endUser });
  const erased: Personal<Uint8Array> = {
    actorLabel: actorLabelDigest,
    ip: ipDigest,
    userAgent: userAgentDigest,
    endUser: endUserDigest,
  };
  const values = personalOf(event);
  const personal: Personal<PersonalProof> = { actorLabel: null, ip: null, userAgent: null, endUser: null };
  for (const [place, field] of PERSONAL_FIELDS.entries()) {
    const own = salt.subarray(place * SALT_BYTES, (place + 1) * SALT_BYTES);
    const value = values[field];
    const digest = erased[field];
    if (digest) personal[field] = { digest: Buffer.from(digest).toString("hex"), salt: null };
    else if (value !== null)
      personal[field] = { digest: digestOf(own, value), salt: Buffer.from(own).toString("hex") };
  }
  return { type: "event" as const, event, personal };
}
