import { and, eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { passwordResets, users } from "#db/schema/accounts.ts";
import { log } from "#server/log.ts";
import { platform } from "#server/platform.ts";
import { type Mail, MailError, type Mailer } from "#server/providers/mail/mailer.ts";
import { linkMade } from "./link-token.ts";
import { OPEN_RESET } from "./reset-password.ts";

/** Mails the link by which a person chooses a new password, while the link is valid. */
export async function mailPasswordReset(
  db: Db,
  mailer: Mailer | null,
  { id }: { id: string },
): Promise<void> {
  const [user] = await db
    .select({ email: users.email, tokenHash: passwordResets.tokenHash })
    .from(passwordResets)
    .innerJoin(users, eq(users.id, passwordResets.userId))
    .where(and(eq(passwordResets.id, id), OPEN_RESET));
  const link = user && linkMade("reset-password", id, user.tokenHash);
  if (!link) return;
  await send(mailer, {
    to: user.email,
    subject: "Choose a new password for Managed Services",
    text: [
      "Somebody asked for a new password for this address. Follow this link within half an hour to choose one:",
      link,
      "If it was not you, do nothing: your password stays as it is.",
    ].join("\n\n"),
    id: messageId(id),
  });
}

/** Mails a person that their password was changed. */
export async function mailPasswordChanged(
  db: Db,
  mailer: Mailer | null,
  { userId }: { userId: string },
  job: string,
): Promise<void> {
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId));
  if (!user) return;
  await send(mailer, {
    to: user.email,
    subject: "Your password for Managed Services was changed",
    text: [
      "Your password was changed, and you were signed out everywhere else.",
      `If it was not you, choose a new one at once: ${platform().settings.baseUrl}/forgot-password`,
    ].join("\n\n"),
    id: messageId(`password-changed.${job}`),
  });
}

/** Sends a mail. The job retries if the mail server is unreachable, but not if it refuses the mail. */
async function send(mailer: Mailer | null, mail: Mail): Promise<void> {
  try {
    await mailer?.send(mail);
  } catch (reason) {
    if (!(reason instanceof MailError && reason.refused)) throw reason;
    log.warn("The mail server refused a mail about a password.", { error: reason.message });
  }
}

const messageId = (id: string) => `<${id}@${new URL(platform().settings.baseUrl).hostname}>`;
