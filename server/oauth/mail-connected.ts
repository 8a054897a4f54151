import { and, eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { accounts, members, users } from "#db/schema/accounts.ts";
import { oauthGrants } from "#db/schema/oauth.ts";
import { platform } from "#server/platform.ts";
import { type Mailer, sendUnlessRefused } from "#server/providers/mail/mailer.ts";

/** Mails a person that an app got access on their behalf: they may have been tricked into it. */
export async function mailAppConnected(
  db: Db,
  mailer: Mailer | null,
  { accountId, keyId }: { accountId: string; keyId: string },
): Promise<void> {
  const [grant] = await db
    .select({
      email: users.email,
      account: accounts.name,
      app: oauthGrants.clientName,
      host: oauthGrants.host,
    })
    .from(oauthGrants)
    .innerJoin(
      members,
      and(eq(members.accountId, oauthGrants.accountId), eq(members.id, oauthGrants.memberId)),
    )
    .innerJoin(users, eq(users.id, members.userId))
    .innerJoin(accounts, eq(accounts.id, oauthGrants.accountId))
    .where(and(eq(oauthGrants.accountId, accountId), eq(oauthGrants.keyId, keyId)));
  if (!grant || !mailer) return;
  const { baseUrl } = platform().settings;
  const { app, host, account, email } = grant;
  await sendUnlessRefused(mailer, {
    to: email,
    subject: "An app was connected to Managed Services",
    text: [
      `${app} (${host ?? "an unverified app"}) got access to ${account} in your name.`,
      `If it was not you who allowed that, revoke it at once: ${baseUrl}/api-keys/${keyId}`,
    ].join("\n\n"),
    id: `<${keyId}@${new URL(baseUrl).hostname}>`,
  });
}
