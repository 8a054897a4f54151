import type { KeyObject } from "node:crypto";
import { and, asc, eq, gt, isNull } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { auditHeads, auditSignedHeads } from "#db/schema/audit.ts";
import { currentTime } from "#server/base/clock.ts";
import { headStatement, signStatement } from "./signatures.ts";

const BATCH = 500;

interface UnsignedHead {
  accountId: string;
  sequence: number;
  hash: Uint8Array;
}

/** Signs a head; returns the row to store. */
export function signHead(key: KeyObject, head: UnsignedHead): typeof auditSignedHeads.$inferSelect {
  const { accountId, sequence } = head;
  const signedAt = currentTime();
  const hash = Buffer.from(head.hash).toString("hex");
  const statement = headStatement({ accountId, sequence, hash, signedAt: signedAt.toISOString() });
  const { signature, publicKey } = signStatement(key, statement);
  return {
    accountId,
    sequence,
    hash: head.hash,
    signedAt,
    signature: Buffer.from(signature, "base64"),
    publicKey: Buffer.from(publicKey, "base64"),
  };
}

/** Signs these heads and stores the signatures; a head with a signature keeps it. */
export async function storeSignedHeads(
  db: Db,
  key: KeyObject,
  heads: readonly UnsignedHead[],
): Promise<void> {
  if (heads.length === 0) return;
  await db
    .insert(auditSignedHeads)
    .values(heads.map((head) => signHead(key, head)))
    .onConflictDoNothing();
}

/** Signs the head of every account whose chain has grown since its last signature. Returns the number of signatures. */
export async function signHeads(db: Db, key: KeyObject): Promise<number> {
  let signed = 0;
  for (let after: string | undefined; ; ) {
    const heads = await db
      .select({ accountId: auditHeads.accountId, sequence: auditHeads.sequence, hash: auditHeads.hash })
      .from(auditHeads)
      .leftJoin(
        auditSignedHeads,
        and(
          eq(auditSignedHeads.accountId, auditHeads.accountId),
          eq(auditSignedHeads.sequence, auditHeads.sequence),
        ),
      )
      .where(and(isNull(auditSignedHeads.accountId), after ? gt(auditHeads.accountId, after) : undefined))
      .orderBy(asc(auditHeads.accountId))
      .limit(BATCH);
    await storeSignedHeads(db, key, heads);
    signed += heads.length;
    after = heads.at(-1)?.accountId;
    if (heads.length < BATCH) return signed;
  }
}
