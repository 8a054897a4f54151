import { accounts, members, sessions, users } from "#db/schema/accounts.ts";
import { newId } from "#server/ids.ts";
import { sealSessionToken, sessionCookie } from "#server/members/session-token.ts";
import type { Role } from "#server/operation/caller.ts";
import { type startApi, unique } from "./api.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

/** A person who is signed in, and calls as the console's pages do. */
export async function signInMember(api: Api, role: Role = "owner", inAccount?: string) {
  const { db } = api.platform.database;
  const accountId = inAccount ?? newId("account");
  const [userId, memberId, sessionId] = [newId("user"), newId("member"), newId("session")];
  const email = `${unique("person")}@example.test`;
  const expiresAt = new Date(Date.now() + 3_600_000);
  if (!inAccount) await db.insert(accounts).values({ id: accountId, name: unique("Account") });
  await db.insert(users).values({ id: userId, email, name: "Ada", passwordHash: "none" });
  await db.insert(members).values({ accountId, id: memberId, userId, role });
  await db.insert(sessions).values({ id: sessionId, userId, lastSeenAt: new Date(), expiresAt });
  const token = await sealSessionToken({ sessionId, accountId, secret: unique("secret") }, 3600);
  const cookie = `${sessionCookie()}=${token}`;
  return { accountId, userId, memberId, sessionId, email, cookie, ...caller(api, cookie) };
}

/** Calls over tRPC with this cookie. */
export function caller(api: Api, cookie: string) {
  const url = (path: string) => `${api.origin}/api/trpc/${path}`;

  async function query(path: string, input: unknown = {}) {
    const response = await fetch(`${url(path)}?input=${encodeURIComponent(JSON.stringify(input))}`, {
      headers: { cookie },
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

  return { query, mutate };
}

async function answered(response: Response) {
  const body = await response.json();
  return { status: response.status, data: body.result?.data, error: body.error?.data.error };
}
