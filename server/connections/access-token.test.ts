import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { connect, SECRET, startOAuth } from "#server/testing/connections.ts";
import { startPeer } from "#server/testing/peer.ts";

const api = await startApi();
const { db } = api.platform.database;

test("fetches one token for twenty parallel uses, by client credentials, and keeps it sealed", async () => {
  const oauth = await startOAuth((token) => token === "Bearer token-1");
  const connection = await connect(api, oauth.settings);
  const { fetch } = await connection.use();
  const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${oauth.origin}/orders`)));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(oauth.tokenRequests()).toEqual([
    expect.objectContaining({
      method: "POST",
      body: "grant_type=client_credentials&scope=orders.read+orders.write",
    }),
  ]);
  const [asked] = oauth.tokenRequests();
  const [, basic = ""] = asked?.headers.authorization?.split(" ") ?? [];
  expect(Buffer.from(basic, "base64").toString()).toBe("back+end:s3cr3t+of+the+outside+system");
  const events = await connection.events();
  expect(events.filter(({ selector }) => selector === "connections.use.workflow.token")).toHaveLength(1);
  expect(events.filter(({ selector }) => selector === "connections.use.workflow")).toHaveLength(20);
  const [row] = await db.execute<{ token: Uint8Array }>(sql`
    select token from connections where account_id = ${uuidOf("account", connection.accountId)}`);
  expect(Buffer.from(row?.token ?? []).includes("token-1")).toBe(false);
});

test("renews a refused token once for all its users", async () => {
  const oauth = await startOAuth((token) => token !== "Bearer token-1");
  const connection = await connect(api, oauth.settings);
  const { fetch } = await connection.use();
  const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(`${oauth.origin}/orders`)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(oauth.tokenRequests()).toHaveLength(2);
  expect((await connection.read()).status).toBe("active");
});

test("breaks when renewed tokens are refused everywhere", async () => {
  const oauth = await startOAuth(() => false);
  const connection = await connect(api, oauth.settings);
  const { fetch } = await connection.use();
  for (const path of ["orders", "customers", "chairs"])
    expect((await fetch(`${oauth.origin}/${path}`)).status).toBe(401);
  expect(oauth.tokenRequests()).toHaveLength(4);
  expect(await connection.read()).toMatchObject({ status: "broken", lastError: { code: "unauthorized" } });
});

test("fetches a new token when the previous one has expired", async () => {
  const oauth = await startOAuth(() => true, { expires_in: 60 });
  const { accountId, use } = await connect(api, oauth.settings);
  const { fetch } = await use();
  await fetch(`${oauth.origin}/orders`);
  await fetch(`${oauth.origin}/orders`);
  expect(oauth.tokenRequests()).toHaveLength(1);
  await db.execute(sql`update connections set token_expires_at = token_expires_at - interval '1 minute'
    where account_id = ${uuidOf("account", accountId)}`);
  await fetch(`${oauth.origin}/orders`);
  expect(oauth.tokenRequests()).toHaveLength(2);
});

test.each([
  [
    "refuses the client",
    { status: 401, body: { error: "invalid_client", error_description: SECRET } },
    { code: "service_failed", operationState: "not_started" },
    {
      status: "broken",
      lastError: { code: "token_refused", message: expect.stringContaining("(401, invalid_client)") },
    },
  ],
  [
    "answers no token",
    { body: { token_type: "mac", access_token: "x" } },
    { code: "service_failed", operationState: "not_started" },
    { status: "broken", lastError: { code: "token_unusable" } },
  ],
  [
    "answers a token that breaks the line",
    { body: { token_type: "bearer", access_token: "a\r\nX-Admin: 1" } },
    { code: "service_failed", operationState: "not_started" },
    { status: "broken", lastError: { code: "token_unusable" } },
  ],
  [
    "fails",
    { status: 500 },
    { code: "service_unavailable", operationState: "not_started" },
    { status: "active", lastError: { code: "failed" } },
  ],
  [
    "redirects",
    { status: 307, headers: { location: "https://evil.test/" } },
    { code: "service_unavailable", operationState: "not_started" },
    { status: "active", lastError: { code: "failed" } },
  ],
])("tells of a token server that %s, without its words", async (_, answer, expected, state) => {
  const peer = await startPeer(() => answer);
  const connection = await connect(api, {
    authType: "oauth2_client",
    clientId: "backend",
    tokenUrl: `${peer.origin}/token`,
    allowedHosts: [peer.host],
  });
  const { fetch } = await connection.use();
  const error = await fetch(`${peer.origin}/orders`).catch((reason) => reason);
  expect(error).toMatchObject(expected);
  const shown = await connection.read();
  expect(shown).toMatchObject(state);
  expect(JSON.stringify([shown, error.message, await connection.events()])).not.toContain("s3cr3t");
  expect(peer.received.map(({ path }) => path)).toEqual(["/token"]);
});
