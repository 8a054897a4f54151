import type { KeyObject } from "node:crypto";
import { and, asc, eq, gt, lte } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { auditSignedHeads } from "#db/schema/audit.ts";
import { currentTime } from "#server/base/clock.ts";
import {
  type EventLine,
  type ExportEnd,
  type ExportHeader,
  endStatement,
  type HeadLine,
} from "./export-format.ts";
import { signStatement } from "./signatures.ts";

type SignedHead = typeof auditSignedHeads.$inferSelect;

/** Returns the signed heads of an account's chain after one sequence, up to and including another. */
async function headsBetween(db: Db, accountId: string, after: number, upTo: number): Promise<HeadLine[]> {
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
  return rows.map(headLine);
}

function headLine({ hash, signedAt, signature, publicKey, ...head }: SignedHead): HeadLine {
  return {
    type: "head",
    ...head,
    hash: Buffer.from(hash).toString("hex"),
    signedAt: signedAt.toISOString(),
    signature: Buffer.from(signature).toString("base64"),
    publicKey: Buffer.from(publicKey).toString("base64"),
  };
}

/** The part of a chain in an export: `start` and `end` are sequences of signed heads; `start` may be 0. */
export interface Reach extends Pick<ExportHeader, "accountId" | "from" | "to" | "start"> {
  end: number;
  /** The signed head of `end` if it could not be stored. */
  unstored?: SignedHead | null;
}

/** Yields the lines of an export: its header, its events with the signed heads between them, its closing statement. */
export async function* exportLines<Line extends EventLine>(
  db: Db,
  key: KeyObject,
  { accountId, from, to, start, end, unstored }: Reach,
  pages: AsyncIterable<Line[]> | Iterable<Line[]>,
): AsyncGenerator<Line | ExportHeader | HeadLine | ExportEnd> {
  yield { type: "export", format: 1, accountId, from, to, start };
  yield* await headsBetween(db, accountId, start - 1, start);
  let after = start;
  let hash = "";
  for await (const lines of pages) {
    const upTo = lines.at(-1)?.event.sequence ?? after;
    const heads = await headsBetween(db, accountId, after, upTo);
    if (unstored) heads.push(headLine(unstored));
    for (const line of lines) {
      yield line;
      yield* heads.filter((head) => head.sequence === line.event.sequence);
      hash = line.event.hash ?? "";
    }
    after = upTo;
  }
  const facts = { accountId, start, end, hash, exportedAt: currentTime().toISOString() };
  yield { type: "end", ...facts, ...signStatement(key, endStatement(facts)) };
}
