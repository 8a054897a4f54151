import { and, eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { accounts, invitations } from "#db/schema/accounts.ts";
import { platform } from "#server/platform.ts";
import { type Mail, MailError, type Mailer } from "#server/providers/mail/mailer.ts";
import { selectInvitations, WITH_STATUS } from "./invitation-rows.ts";
import { linkMade } from "./link-token.ts";

/** Mails an invitation that is still valid. While the mail server is unreachable, the job is retried. */
export async function mailInvitation(
  db: Db,
  mailer: Mailer | null,
  { accountId, id }: { accountId: string; id: string },
  last: boolean,
): Promise<void> {
  const mine = allOf(eq(invitations.accountId, accountId), eq(invitations.id, id));
  const [invitation] = await selectInvitations(db).where(and(mine, WITH_STATUS.pending));
  const [account] = await db
    .select({ name: accounts.name, tokenHash: invitations.tokenHash })
    .from(accounts)
    .innerJoin(invitations, eq(invitations.accountId, accounts.id))
    .where(and(eq(accounts.id, accountId), mine));
  if (!invitation || !account || invitation.mail === "sent") return;
  const note = (mail: "sent" | "waiting" | "failed", mailError: string | null) =>
    db.update(invitations).set({ mail, mailError }).where(mine);
  if (!mailer) return void (await note("failed", "No mail server is configured any more (SMTP_URL)."));
  const link = linkMade("invitation", id, account.tokenHash);
  if (!link) return void (await note("failed", "The key of its link is gone (SEALING_KEY). Invite again."));
  try {
    await mailer.send(mailOf({ ...invitation, accountName: account.name, link }));
  } catch (reason) {
    if (!(reason instanceof MailError)) throw reason;
    await note(last || reason.refused ? "failed" : "waiting", reason.message);
    if (reason.refused) return;
    throw reason;
  }
  await note("sent", null);
}

function mailOf(about: {
  id: string;
  accountName: string;
  email: string;
  role: string;
  invitedBy: string | null;
  expiresAt: Date;
  link: string;
}): Mail {
  const account = oneLine(about.accountName);
  const until = about.expiresAt.toISOString().slice(0, 10);
  return {
    to: about.email,
    subject: `Join ${account} on Managed Services`,
    text: [
      `${oneLine(about.invitedBy ?? "An owner")} invites you to work in the account “${account}” as ${about.role}.`,
      `Follow this link until ${until} to accept:`,
      about.link,
      "If you expected no invitation, do nothing: without this link nobody joins in your name.",
    ].join("\n\n"),
    id: `<${about.id}@${new URL(platform().settings.baseUrl).hostname}>`,
  };
}

/** Returns a name as one short line: names in a mail may contain anything. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").slice(0, 100);
}
