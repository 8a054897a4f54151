import { decode } from "next-auth/jwt";
import { z } from "zod";
import { platform } from "#server/platform.ts";

/** What the session cookie holds, encrypted under AUTH_SECRET. The row it names decides whether it still counts. */
export const SessionToken = z.object({
  sessionId: z.string(),
  /** The account that the person works in. */
  accountId: z.string(),
  /** Random of this session: what is sealed for replays opens within it only. */
  secret: z.string(),
});
export type SessionToken = z.infer<typeof SessionToken>;

/** The cookie's name; browsers keep a `__Secure-` one to HTTPS. */
export function sessionCookie(): string {
  return `${secureCookies() ? "__Secure-" : ""}next-auth.session-token`;
}

export function secureCookies(): boolean {
  return platform().settings.baseUrl.startsWith("https:");
}

/** The token of a cookie's value; null where there is none, or one that this platform did not make or that is over. */
export async function readSessionToken(value: string | undefined): Promise<SessionToken | null> {
  if (!value) return null;
  for (const secret of platform().settings.authSecrets) {
    const token = SessionToken.safeParse(await decode({ token: value, secret }).catch(() => null));
    if (token.success) return token.data;
  }
  return null;
}

/** The value of a cookie in a `Cookie` header. */
export function cookieOf(header: string | null, name: string): string | undefined {
  const pair = header?.split(/; */).find((entry) => entry.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}
