import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import { newUuid } from "#server/base/ids.ts";
import { platform } from "#server/platform.ts";
import { secureCookies } from "./session-token.ts";

/** Browsers keep cookies at most this long. */
const COOKIE_SECONDS = 400 * 86_400;
/** Derives a separate key from AUTH_SECRET, so that a session cookie is not accepted as this cookie. */
const salt = "known-browser";

const KnownBrowser = z.object({ id: z.string(), email: z.string() });

export function knownBrowserCookie(): string {
  return `${secureCookies() ? "__Secure-" : ""}known-browser`;
}

/**
 * Returns the browser's id if the person with this e-mail address has signed in with it before, else null. Its
 * attempts are counted separately (OWASP, "Device Cookies"), so that strangers who guess a password do not make its
 * owner wait.
 */
export async function readKnownBrowser(value: string | undefined, email: string): Promise<string | null> {
  if (!value) return null;
  for (const secret of platform().settings.authSecrets) {
    const browser = KnownBrowser.safeParse(await decode({ token: value, secret, salt }).catch(() => null));
    if (browser.success) return browser.data.email === email ? browser.data.id : null;
  }
  return null;
}

/**
 * Returns the cookie for a browser in which somebody has just signed in; browsers send it back only to the sign-in
 * address.
 */
export async function makeKnownBrowser(email: string): Promise<string> {
  const value = await encode({
    token: { id: newUuid(), email },
    secret: platform().settings.authSecrets[0],
    salt,
    maxAge: COOKIE_SECONDS,
  });
  const secure = secureCookies() ? "; Secure" : "";
  return `${knownBrowserCookie()}=${value}; Path=/api/auth; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}
