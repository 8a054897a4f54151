import { decode } from "next-auth/jwt";
import { z } from "zod";
import { platform } from "#server/platform.ts";

/**
 * The content of the session cookie, encrypted under AUTH_SECRET. The session's row decides whether it is still
 * valid.
 */
export const SessionToken = z.object({
  sessionId: z.string(),
  /** The account that the person currently uses. */
  accountId: z.string(),
  /** Random value of this session; responses sealed for replays under it open in this session only. */
  secret: z.string(),
});
export type SessionToken = z.infer<typeof SessionToken>;

/** Returns the cookie's name; browsers send a `__Secure-` cookie over HTTPS only. */
export function sessionCookie(): string {
  return `${secureCookies() ? "__Secure-" : ""}next-auth.session-token`;
}

export function secureCookies(): boolean {
  return platform().settings.baseUrl.startsWith("https:");
}

/** Returns the token in a cookie's value; null if it is missing, expired, or not made by this platform. */
export async function readSessionToken(value: string | undefined): Promise<SessionToken | null> {
  if (!value) return null;
  for (const secret of platform().settings.authSecrets) {
    const token = SessionToken.safeParse(await decode({ token: value, secret }).catch(() => null));
    if (token.success) return token.data;
  }
  return null;
}

/** Returns the value of a cookie in a `Cookie` header. */
export function cookieOf(header: string | null, name: string): string | undefined {
  const pair = header?.split(/; */).find((entry) => entry.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}
