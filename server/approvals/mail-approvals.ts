import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { members, users } from "#db/schema/accounts.ts";
import { approvals } from "#db/schema/approvals.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { currentMs, currentTime } from "#server/base/clock.ts";
import { toUuid, uuidOf } from "#server/base/ids.ts";
import { keysOf } from "#server/base/keys-of.ts";
import type { Job } from "#server/jobs/enqueue-job.ts";
import { ROLE_SCOPES } from "#server/operation/roles.ts";
import { platform } from "#server/platform.ts";
import { MAIL_ATTEMPTS, type Mail, type Mailer, sendUnlessRefused } from "#server/providers/mail/mailer.ts";
import { decisionsOn, hasStatus } from "./rows.ts";

/** At most four mails an hour to one person, over all their accounts. */
const PAUSE_MS = 15 * 60_000;
/**
 * An approval that was requested this shortly before a mail may have been committed after it: the next mail includes
 * it.
 */
const OVERLAP_MS = 30_000;
const MAX_READ = 100;
const MAX_NAMED = 10;
/** How many people of an account are mailed before the other accounts' jobs in the queue take their turn. */
const MAX_MAILED = 10;

const MAY_DECIDE = keysOf(ROLE_SCOPES).filter((role) => ROLE_SCOPES[role].includes("approvals:write"));

const KINDS: Record<Waiting["kind"], string> = {
  service_action: "A service action",
  transaction: "A transaction",
  signature: "A signature",
  order: "An order",
  swap: "A swap",
  workflow_step: "A step of a run",
};

type Waiting = Awaited<ReturnType<typeof readWaiting>>[number];
type Recipient = Awaited<ReturnType<typeof readRecipients>>[number];

/**
 * Returns the job that mails an account's approvals. They share one queue, so that no two jobs check the same person's
 * pause at once.
 */
export function mailApprovalsJob(payload: { accountId: string }) {
  return {
    task: "mailApprovals",
    payload,
    key: `mailApprovals/${payload.accountId}`,
    queue: "mailApprovals",
    maxAttempts: MAIL_ATTEMPTS,
  } as const satisfies Job;
}

/**
 * Mails up to ten of the members who may decide about pending approvals that are new to them. Returns when the job is
 * due again: at once for the other members, later for a member who was mailed recently; null if nobody is left.
 */
export async function mailApprovals(
  db: Db,
  mailer: Mailer | null,
  { accountId }: { accountId: string },
): Promise<Date | null> {
  if (!mailer) return null;
  const waiting = await readWaiting(db, accountId);
  if (waiting.length === 0) return null;
  const ends: number[] = [];
  let mailed = 0;
  for (const recipient of await readRecipients(db, accountId)) {
    const theirs = waiting.filter((approval) => mayDecide(approval, recipient));
    const since = (recipient.approvalsMailedAt?.getTime() ?? 0) - OVERLAP_MS;
    if (!theirs.some(({ createdAt }) => createdAt.getTime() > since)) continue;
    const pauseEnds = recipient.lastMailedAt ? Date.parse(recipient.lastMailedAt) + PAUSE_MS : 0;
    if (pauseEnds > currentMs()) {
      ends.push(pauseEnds);
      continue;
    }
    if (mailed === MAX_MAILED) return currentTime();
    mailed += 1;
    await sendUnlessRefused(mailer, mailOf(recipient, theirs));
    await db
      .update(members)
      .set({ approvalsMailedAt: sql`clock_timestamp()` })
      .where(and(eq(members.accountId, accountId), eq(members.id, recipient.id)));
  }
  return ends.length > 0 ? new Date(Math.min(...ends)) : null;
}

/** Reads the newest pending approvals, with the members who have decided and those who created a listed key. */
async function readWaiting(db: Db, accountId: string) {
  const rows = await db
    .select({
      id: approvals.id,
      kind: approvals.kind,
      memberIds: approvals.memberIds,
      initiatorMayApprove: approvals.initiatorMayApprove,
      approvers: approvals.approvers,
      createdAt: approvals.createdAt,
      expiresAt: approvals.expiresAt,
    })
    .from(approvals)
    .where(allOf(eq(approvals.accountId, accountId), hasStatus("pending")))
    .orderBy(desc(approvals.id))
    .limit(MAX_READ);
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const decisions = await decisionsOn(db, accountId, ids);
  const listed = rows.flatMap(({ approvers }) => approvers ?? []).filter((id) => uuidOf("apiKey", id));
  const keys = listed.length === 0 ? [] : await readMakers(db, accountId, listed);
  return rows.map(({ approvers, ...row }) => ({
    ...row,
    listed: approvers?.flatMap((id) => keys.find((key) => key.id === id)?.memberId ?? id) ?? null,
    decidedBy: decisions.flatMap(({ approvalId, memberIds }) => (approvalId === row.id ? memberIds : [])),
  }));
}

function readMakers(db: Db, accountId: string, ids: readonly string[]) {
  return db
    .select({ id: apiKeys.id, memberId: apiKeys.memberId })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), inArray(apiKeys.id, [...ids])));
}

/** Reads the members whose role may decide and who want mails, with the last mail to each from any account. */
function readRecipients(db: Db, accountId: string) {
  return db
    .select({
      id: members.id,
      email: users.email,
      approvalsMailedAt: members.approvalsMailedAt,
      lastMailedAt: sql<
        string | null
      >`(select max(o.approvals_mailed_at) from members o where o.user_id = ${members.userId})`,
    })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(
      and(
        eq(members.accountId, accountId),
        inArray(members.role, MAY_DECIDE),
        eq(members.approvalMails, true),
      ),
    )
    .orderBy(asc(members.id));
}

function mayDecide(
  { listed, decidedBy, initiatorMayApprove, memberIds }: Waiting,
  { id }: Recipient,
): boolean {
  const uuid = toUuid("member", id);
  if (decidedBy.includes(uuid) || (!initiatorMayApprove && memberIds.includes(uuid))) return false;
  return listed === null || listed.includes(id);
}

/** The mail contains no text of the requester, who could send spam by it. Its links open approvals; none decides one. */
function mailOf({ id, email }: Recipient, theirs: readonly Waiting[]): Mail {
  const { baseUrl } = platform().settings;
  const [newest] = theirs;
  const count = theirs.length === 1 ? "1 approval waits" : `${theirs.length} approvals wait`;
  const named = theirs
    .slice(0, MAX_NAMED)
    .map((one) => `${KINDS[one.kind]}, until ${timeOf(one.expiresAt)}:\n${baseUrl}/approvals/${one.id}`);
  const more = theirs.length > MAX_NAMED ? [`All that wait: ${baseUrl}/approvals`] : [];
  return {
    to: email,
    subject: `${count} for your decision on Managed Services`,
    text: [
      `${count} for your decision. Sign in to see exactly what would be done, and decide there:`,
      ...named,
      ...more,
      `To get no such mails, turn "Notify by mail" off: ${baseUrl}/approvals`,
    ].join("\n\n"),
    id: `<${newest?.id}.${id}@${new URL(baseUrl).hostname}>`,
  };
}

/** `2026-11-26 09:30 UTC`. */
const timeOf = (at: Date) => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
