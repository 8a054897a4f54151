import { and, eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { passwordResets, users } from "#db/schema/accounts.ts";
import { platform } from "#server/platform.ts";
import { type Mailer, sendUnlessRefused } from "#server/providers/mail/mailer.ts";
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
  if (!link || !mailer) return;
  await sendUnlessRefused(mailer, {
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
  if (!user || !mailer) return;
  await sendUnlessRefused(mailer, {
    to: user.email,
    subject: "Your password for Managed Services was changed",
    text: [
      "Your password was changed, and you were signed out everywhere else.",
      `If it was not you, choose a new one at once: ${platform().settings.baseUrl}/forgot-password`,
    ].join("\n\n"),
    id: messageId(`password-changed.${job}`),
  });
}

const messageId = (id: string) => `<${id}@${new URL(platform().settings.baseUrl).hostname}>`;
