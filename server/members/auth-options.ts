import nextAuthModule, { type NextAuthOptions } from "next-auth";
import credentialsModule from "next-auth/providers/credentials";
import { log } from "#server/base/log.ts";
import { platform } from "#server/platform.ts";
import { findPerson } from "./person.ts";
import type { Origin } from "./record-act.ts";
import { SessionToken, secureCookies } from "./session-token.ts";
import { revokeSession } from "./sessions.ts";
import { type Browser, SignInError, signIn } from "./sign-in.ts";

/** Node hides the default export of a CommonJS module one level deeper than bundlers do. */
function defaultOf<Module>(module: Module): Module {
  return (module as { default?: Module }).default ?? module;
}

export const nextAuth = defaultOf(nextAuthModule);
const credentials = defaultOf(credentialsModule);

/**
 * Returns next-auth's options with the single sign-in provider for one request. Calls `setCookie` when somebody has
 * signed in.
 */
export function authOptions(
  origin: Origin,
  browser: Browser,
  setCookie: (cookie: string) => void,
): NextAuthOptions {
  const { authSecrets, baseUrl, sessions } = platform().settings;
  return {
    secret: authSecrets[0],
    useSecureCookies: secureCookies(),
    session: { strategy: "jwt", maxAge: sessions.lastSeconds },
    pages: { signIn: "/sign-in", signOut: "/sign-in", error: "/sign-in" },
    providers: [
      credentials({
        credentials: { email: {}, password: {}, code: {}, invitation: {} },
        authorize: async (input) => {
          const { session, known } = await signIn(input, browser, origin).catch((reason) =>
            refused(reason, origin),
          );
          setCookie(known);
          return { id: session.sessionId, token: session };
        },
      }),
    ],
    callbacks: {
      // The cookie contains only the session's id, account and secret, and nothing else about the person.
      jwt: ({ token, user }) => (user ? { ...(user as unknown as { token: SessionToken }).token } : token),
      redirect: ({ url }) => (isOurs(url, baseUrl) ? new URL(url, baseUrl).href : baseUrl),
    },
    events: {
      async signOut({ token }) {
        const person = await findPerson(SessionToken.parse(token));
        if (person) await revokeSession(person, person.sessionId, origin);
      },
    },
    logger: {
      error: (code, metadata) => log.error("Signing in or out failed.", { code, error: metadata }),
      warn: () => undefined,
      debug: () => undefined,
    },
  };
}

/**
 * Throws the refusal to the browser, which gets it in the address; of other failures it learns only that one
 * happened.
 */
function refused(reason: unknown, { requestId, ip }: Origin): never {
  if (reason instanceof SignInError) {
    // Failed sign-ins by strangers are not written to an account's audit. The log gets no e-mail address, since
    // addresses cannot be erased from logs.
    if (reason.refusal !== "code_required")
      log.warn("A sign-in was refused.", { requestId, ip, reason: reason.refusal });
    throw reason;
  }
  log.error("Signing in failed.", { error: reason });
  throw new Error("unavailable");
}

function isOurs(url: string, baseUrl: string): boolean {
  return URL.canParse(url, baseUrl) && new URL(url, baseUrl).origin === baseUrl;
}
