import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { invitations, members, users } from "#db/schema/accounts.ts";
import { DAY_MS } from "#server/base/durations.ts";
import { newId } from "#server/base/ids.ts";
import { enqueueJob } from "#server/jobs/enqueue-job.ts";
import { ApiError } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { MAIL_ATTEMPTS } from "#server/providers/mail/mailer.ts";
import { readInvitation, WITH_STATUS } from "./invitation-rows.ts";
import { linkTo, linkToken, tokenHash } from "./link-token.ts";
import { holdMembership, noOwner } from "./queries.ts";
import { CreateInvitation, Invitation } from "./schema.ts";

const LIFETIME_DAYS = 7;
/** Beyond this many waiting mails, an account's mails have one priority, which has to fit a smallint. */
const MAX_TURNS = 1000;

export const createInvitation = operation({
  id: "invitations.create",
  method: "POST",
  path: "/invitations",
  summary: "Invite a person to the account",
  description: `The invitation can be accepted once, within ${LIFETIME_DAYS} days, by the owner of this e-mail address. The platform mails it if a mail server is configured (SMTP_URL); otherwise hand over \`link\`, which only this response contains.`,
  scope: null,
  people: "owners",
  stepUp: true,
  idempotent: true,
  secretOutput: true,
  surfaces: ["console"],
  body: CreateInvitation,
  output: z.object({
    invitation: Invitation,
    link: z
      .string()
      .nullable()
      .describe("The address to hand over to the invited person; null if the invitation is mailed."),
  }),
  status: 201,
  errors: ["already_exists"],

  async handler({ body, caller, db, request }) {
    const { accountId } = caller;
    const { email, role } = body;
    // The account may be deleted, or the caller lose their role, at the same moment.
    if (caller.type === "member" && (await holdMembership(db, caller)) !== "owner") throw noOwner();
    await refuseMember(db, accountId, email);
    const mailed = platform().mailer !== null;
    const id = newId("invitation");
    await db
      .update(invitations)
      .set({ revokedAt: sql`now()` })
      .where(and(eq(invitations.accountId, accountId), eq(invitations.email, email), WITH_STATUS.expired));
    // The unique index decides, so that nobody has two invitations to an account.
    const made = await db
      .insert(invitations)
      .values({
        accountId,
        id,
        email,
        role,
        mail: mailed ? "waiting" : "none",
        invitedBy: caller.id,
        tokenHash: tokenHash(linkToken("invitation", id)),
        expiresAt: new Date(request.at.getTime() + LIFETIME_DAYS * DAY_MS),
      })
      .onConflictDoNothing()
      .returning({ id: invitations.id });
    if (made.length === 0)
      throw new ApiError(
        "already_exists",
        `${email} has been invited already. Revoke that invitation to send another.`,
      );
    if (mailed)
      await enqueueJob(db, {
        task: "mailInvitation",
        payload: { accountId, id },
        maxAttempts: MAIL_ATTEMPTS,
        priority: await placeInTurn(db, accountId),
      });
    return {
      invitation: await readInvitation(db, accountId, id),
      link: mailed ? null : linkTo("invitation", id),
    };
  },
});

/**
 * Returns the number of the account's mails that wait, as the priority of the newest: the accounts take turns, so that one
 * with thousands of invitations does not delay the others' mails.
 */
async function placeInTurn(tx: Transaction, accountId: string): Promise<number> {
  const [row] = await tx
    .select({ waiting: sql<number>`count(*)::int` })
    .from(invitations)
    .where(and(eq(invitations.accountId, accountId), eq(invitations.mail, "waiting"), WITH_STATUS.pending));
  return Math.min(row?.waiting ?? 0, MAX_TURNS);
}

async function refuseMember(tx: Transaction, accountId: string, email: string): Promise<void> {
  const found = await tx
    .select({ id: members.id })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.accountId, accountId), eq(sql`lower(${users.email})`, email)));
  if (found.length > 0) throw new ApiError("already_exists", `${email} is a member of the account already.`);
}
