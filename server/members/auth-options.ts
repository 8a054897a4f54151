import nextAuthModule, { type NextAuthOptions } from "next-auth";
import credentialsModule from "next-auth/providers/credentials";
import { log } from "#server/log.ts";
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

/** next-auth with one way in; who asks comes with the request. `setCookie` is called where somebody has signed in. */
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
      // The cookie names a session's row and holds nothing else of the person.
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

/** The browser gets the refusal in an address: of other failures it learns only that there was one. */
function refused(reason: unknown, { requestId, ip }: Origin): never {
  if (reason instanceof SignInError) {
    // Strangers write nothing to an account's audit. The log gets no e-mail address: nothing could erase it there.
    if (reason.refusal !== "code_required")
      log.warn("A sign-in was refused.", { requestId, ip, refusal: reason.refusal });
    throw reason;
  }
  log.error("Signing in failed.", { error: reason });
  throw new Error("unavailable");
}

function isOurs(url: string, baseUrl: string): boolean {
  return URL.canParse(url, baseUrl) && new URL(url, baseUrl).origin === baseUrl;
}
