import { members, users } from "#db/schema/accounts.ts";
import { newId } from "#server/base/ids.ts";
import { hashPassword } from "#server/members/passwords.ts";
import type { Role } from "#server/operation/caller.ts";
import { type startApi, unique } from "./api.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

/** The parts of an installation that a browser uses. */
export interface Site {
  origin: string;
  platform: { settings: { baseUrl: string } };
}

export const PASSWORD = "correct horse battery";

/** Calls over tRPC with this cookie, like the console's pages. */
export function caller(api: Site, cookie: string) {
  const url = (path: string) => `${api.origin}/api/trpc/${path}`;

  async function query(path: string, input: unknown = {}, headers: Record<string, string> = {}) {
    const response = await fetch(`${url(path)}?input=${encodeURIComponent(JSON.stringify(input))}`, {
      headers: { cookie, ...headers },
    });
    return answered(response);
  }

  async function mutate(path: string, input: unknown = {}, headers: Record<string, string> = {}) {
    const response = await fetch(url(path), {
      method: "POST",
      headers: {
        cookie,
        origin: api.platform.settings.baseUrl,
        "content-type": "application/json",
        "idempotency-key": unique("act"),
        ...headers,
      },
      body: JSON.stringify(input),
    });
    return answered(response);
  }

  return { cookie, query, mutate };
}

async function answered(response: Response) {
  const body = await response.json();
  return { status: response.status, data: body.result?.data, error: body.error?.data.error };
}

let addresses = 0;

/** Signs in like the sign-in page; returns the session's cookie or the error. `browser`: the browser's cookies. */
export async function trySignIn(
  api: Site,
  credentials: { email: string; password: string; code?: string; invitation?: string },
  address = `10.0.${addresses >> 8}.${addresses++ & 255}`,
  browser = "",
) {
  const csrf = await fetch(`${api.origin}/api/auth/csrf`);
  const { csrfToken } = await csrf.json();
  const response = await fetch(`${api.origin}/api/auth/callback/credentials`, {
    method: "POST",
    headers: {
      cookie: [cookiesOf(csrf), browser].filter(Boolean).join("; "),
      origin: api.platform.settings.baseUrl,
      "x-forwarded-for": address,
    },
    body: new URLSearchParams({ ...credentials, csrfToken, json: "true" }),
    redirect: "manual",
  });
  const { url } = await response.json();
  const error = new URL(url, api.platform.settings.baseUrl).searchParams.get("error");
  return { error, cookie: cookiesOf(response), setCookie: response.headers.getSetCookie() };
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

/** Creates a person who has signed up and in. */
export async function signUpAndIn(api: Site) {
  const email = `${unique("person")}@example.test`;
  const signedUp = await caller(api, "").mutate("signUp", { name: "Ada", email, password: PASSWORD });
  if (signedUp.status !== 200) throw new Error(`No sign-up: ${JSON.stringify(signedUp.error)}`);
  const { cookie } = await trySignIn(api, { email, password: PASSWORD });
  return { email, accountId: signedUp.data.accountId, ...caller(api, cookie) };
}

/** Creates a member of an account, signed in. */
export async function signInMember(api: Api, accountId: string, role: Role) {
  const { db } = api.platform.database;
  const [userId, memberId] = [newId("user"), newId("member")];
  const email = `${unique("person")}@example.test`;
  await db
    .insert(users)
    .values({ id: userId, email, name: "Grace", passwordHash: await hashPassword(PASSWORD) });
  await db.insert(members).values({ accountId, id: memberId, userId, role });
  const { cookie } = await trySignIn(api, { email, password: PASSWORD });
  return { email, accountId, userId, memberId, ...caller(api, cookie) };
}

/**
 * Guesses until a guess has to wait; returns how many were wrong before that, and for how many seconds the last one
 * waits. A slow machine lets more guesses through, since a wait may end between two of them.
 */
export async function guessUntilRefused(guess: () => ReturnType<typeof trySignIn>, refusal: string) {
  for (let wrong = 0; ; wrong++) {
    const { error } = await guess();
    if (error !== refusal) return { wrong, waitSeconds: Number(/^wait:(\d+)$/.exec(error ?? "")?.[1]) };
  }
}
