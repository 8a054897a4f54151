import { and, asc, eq, getTableColumns, gt, lte } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { auditChain } from "#db/schema/audit.ts";
import { digestOf, PERSONAL_FIELDS, type Personal, SALT_BYTES } from "./chain.ts";
import { type EventLine, type PersonalProof, personalOf } from "./export-format.ts";
import { toAuditEvent } from "./queries.ts";

/** The maximum number of events in a page. */
export const PAGE = 1000;

type Row = Awaited<ReturnType<typeof pageOf>>[number];

/** Returns a page of an account's events in the order of their chain: after one sequence, up to and including another. */
export function pageOf(db: Db, accountId: string, after: number, upTo: number) {
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

/** Returns an event as a line of an export. */
export function eventLine({ chained, endUser }: Row): EventLine {
  const {
    accountId,
    selector,
    refusal,
    replayOf,
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
  return { type: "event", event, personal };
}
