import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { newId, uuidOf } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { keyCaller } from "#server/testing/callers.ts";
import { connect, SECRET, startOAuth } from "#server/testing/connections.ts";
import { eventsKept, listen } from "#server/testing/events.ts";
import { everyRow } from "#server/testing/every-row.ts";
import { type Behaviour, startPeer } from "#server/testing/peer.ts";
import { useConnection } from "./use-connection.ts";

const api = await startApi();
const { db } = api.platform.database;
const echo: Behaviour = ({ headers, method, body }) => ({ body: { headers, method, body } });

test.each([
  ["api_key", {}, { "x-api-key": SECRET }],
  ["api_key", { headerName: "X-Orders-Key" }, { "x-orders-key": SECRET }],
  ["bearer", {}, { authorization: `Bearer ${SECRET}` }],
  [
    "basic",
    { username: "robot" },
    { authorization: "Basic cm9ib3Q6czNjcjN0IG9mIHRoZSBvdXRzaWRlIHN5c3RlbQ==" },
  ],
])("sends a secret as %s %j", async (authType, settings, expected) => {
  const peer = await startPeer(echo);
  const connection = await connect(api, { authType, ...settings, allowedHosts: [peer.host] });
  const { fetch } = await connection.use();
  const answer = await fetch(`${peer.origin}/orders`, {
    method: "POST",
    body: "an order",
    headers: {
      "content-type": "text/plain",
      Authorization: "mine",
      "X-Orders-Key": "mine",
      "x-api-key": "mine",
    },
  });
  expect(answer.status).toBe(200);
  const { headers, method, body } = await answer.json();
  expect({ method, body }).toEqual({ method: "POST", body: "an order" });
  expect(headers).toMatchObject({ "content-type": "text/plain", ...expected });
  expect(await connection.read()).toMatchObject({ lastUsedAt: expect.any(String), lastError: null });
  expect(await connection.events()).toEqual([
    {
      selector: "connections.use.workflow",
      outcome: "allowed",
      status: 200,
      error_code: null,
      secret_version: 1,
    },
  ]);
});

test.each([
  ["another port of the host", ({ port }: { port: number }) => `http://127.0.0.1:${port + 1}/`],
  ["the same machine by another name", ({ port }: { port: number }) => `http://localhost:${port}/`],
  ["an IPv6 literal", ({ port }: { port: number }) => `http://[::1]:${port}/`],
  ["a mapped address", ({ port }: { port: number }) => `http://[::ffff:127.0.0.1]:${port}/`],
  ["a name that begins like it", ({ port }: { port: number }) => `http://127.0.0.1.evil.test:${port}/`],
  ["a user that looks like the host", ({ port }: { port: number }) => `http://127.0.0.1:${port}@evil.test/`],
  ["a user in the address", ({ port }: { port: number }) => `http://me@127.0.0.1:${port}/`],
  ["another scheme", ({ port }: { port: number }) => `ftp://127.0.0.1:${port}/`],
])("sends nothing to %s", async (_, target) => {
  const peer = await startPeer(echo);
  const connection = await connect(api, { allowedHosts: [peer.host] });
  const { fetch } = await connection.use();
  await expect(fetch(target(peer))).rejects.toMatchObject({
    code: "policy_denied",
    operationState: "not_started",
  });
  expect(peer.received).toEqual([]);
  expect(await connection.events()).toEqual([
    expect.objectContaining({
      outcome: "denied",
      status: 403,
      error_code: "policy_denied",
      secret_version: 1,
    }),
  ]);
});

test.each([
  ["http://api.example.com/", { allowedHosts: ["api.example.com"] }],
  ["https://10.0.0.1/", { allowedHosts: ["10.0.0.1"] }],
  ["https://169.254.169.254/latest/meta-data/", { allowedHosts: ["169.254.169.254"] }],
  ["https://[fd00::1]/", { allowedHosts: ["[fd00::1]"] }],
])("does not reach %s, allowed or not", async (url, settings) => {
  const { fetch } = await (await connect(api, settings)).use();
  await expect(fetch(url)).rejects.toMatchObject({ code: "policy_denied", operationState: "not_started" });
});

test("answers a redirect instead of carrying the secret along it", async () => {
  const thief = await startPeer(echo);
  const peer = await startPeer(() => ({ status: 302, headers: { location: thief.origin } }));
  const { fetch } = await (await connect(api, { allowedHosts: [peer.host] })).use();
  const answer = await fetch(peer.origin);
  expect(answer.status).toBe(302);
  expect(thief.received).toEqual([]);
});

test.each([
  ["routes", { Host: "evil.test" }],
  ["frames", { "Transfer-Encoding": "chunked" }],
  ["breaks the line", { "X-A": "b\r\nX-Admin: 1" }],
])("refuses a header that %s", async (_, headers) => {
  const peer = await startPeer(echo);
  const { fetch } = await (await connect(api, { allowedHosts: [peer.host] })).use();
  await expect(fetch(peer.origin, { headers: headers as never })).rejects.toMatchObject({
    code: "invalid_request",
  });
  expect(peer.received).toEqual([]);
});

test("stops at once when the connection is disabled, expired or deleted", async () => {
  const peer = await startPeer(echo);
  const connection = await connect(api, { allowedHosts: [peer.host] });
  const { fetch } = await connection.use();
  await connection.change({ status: "disabled" });
  await expect(fetch(peer.origin)).rejects.toMatchObject({ code: "state_conflict" });
  await connection.change({ status: "active", expiresAt: new Date(Date.now() + 60_000).toISOString() });
  expect((await fetch(peer.origin)).status).toBe(200);
  await db.execute(sql`update connections set expires_at = now()
    where account_id = ${uuidOf("account", connection.accountId)}`);
  await expect(fetch(peer.origin)).rejects.toMatchObject({ code: "state_conflict" });
  await connection.change({ expiresAt: null });
  expect((await fetch(peer.origin)).status).toBe(200);
  await connection.remove();
  await expect(fetch(peer.origin)).rejects.toMatchObject({ code: "not_found" });
});

test("shows another account's connection to nobody", async () => {
  const peer = await startPeer(echo);
  const connection = await connect(api, { allowedHosts: [peer.host] });
  const { accountId, apiKey } = await api.createRootKey();
  const { id } = await connection.read();
  const stranger = {
    caller: keyCaller(accountId, [apiKey.id]),
    requestId: newId("request"),
    purpose: "workflow" as const,
  };
  await expect(useConnection({ ...stranger, connectionId: id })).rejects.toMatchObject({
    code: "not_found",
    message: `No connection ${id}.`,
  });
});

test("breaks when the secret is refused, sends nothing until there is another, and recovers", async () => {
  const peer = await startPeer(({ headers }) => ({
    status: headers.authorization === "Bearer good" ? 200 : 401,
  }));
  const connection = await connect(api, { allowedHosts: [peer.host] });
  const { fetch } = await connection.use();
  for (const path of ["a", "b", "c"]) expect((await fetch(`${peer.origin}/${path}`)).status).toBe(401);
  const lastError = {
    code: "unauthorized",
    message: `${peer.host} refused the secret (401).`,
    at: expect.stringMatching(/Z$/),
  };
  expect(await connection.read()).toMatchObject({ status: "broken", lastError });
  await expect(fetch(peer.origin)).rejects.toMatchObject({
    code: "service_failed",
    operationState: "not_started",
  });
  expect(peer.received).toHaveLength(3);
  const rotated = await connection.change({ secret: "good" });
  expect(rotated.body.connection).toMatchObject({ status: "active", secretVersion: 2, lastError });
  expect((await fetch(peer.origin)).status).toBe(200);
  expect(await connection.read()).toMatchObject({ status: "active", lastError: null });
  expect((await connection.events()).map(({ status, secret_version }) => [status, secret_version])).toEqual([
    [200, 1],
    [200, 1],
    [200, 1],
    [502, 1],
    [200, 2],
  ]);
});

test("stays active while one address refuses the secret and others accept it", async () => {
  const peer = await startPeer(({ path }) => ({ status: path === "/ours" ? 200 : 401 }));
  const connection = await connect(api, { allowedHosts: [peer.host] });
  const { fetch } = await connection.use();
  const refuse = async (path: string, times: number) => {
    for (let nth = 0; nth < times; nth++) expect((await fetch(`${peer.origin}${path}`)).status).toBe(401);
  };
  await refuse("/theirs?page=1", 1);
  expect(await connection.read()).toMatchObject({ status: "active", lastError: { code: "unauthorized" } });
  await refuse("/theirs?page=2", 8);
  expect((await fetch(`${peer.origin}/ours`)).status).toBe(200);
  expect(await connection.read()).toMatchObject({ status: "active", lastError: null });
  await refuse("/theirs", 1);
  await refuse("/others", 1);
  expect(await connection.read()).toMatchObject({ status: "active" });
  await refuse("/thirds", 1);
  expect(await connection.read()).toMatchObject({ status: "broken" });
});

test("breaks when the only address that is used refuses the secret ten times in a row", async () => {
  const peer = await startPeer(() => ({ status: 401 }));
  const connection = await connect(api, { allowedHosts: [peer.host] });
  const { fetch } = await connection.use();
  for (let nth = 0; nth < 9; nth++) await fetch(peer.origin);
  expect((await connection.read()).status).toBe("active");
  await fetch(peer.origin);
  expect((await connection.read()).status).toBe("broken");
});

test("emits events about its changes, never with its secret", async () => {
  const peer = await startPeer(({ headers }) => ({
    status: headers.authorization === "Bearer good" ? 200 : 401,
  }));
  const root = await api.createRootKey();
  await listen(api, root.accountId);
  const connection = await connect(api, { allowedHosts: [peer.host] }, root);
  const { fetch } = await connection.use();
  for (const path of ["a", "b", "c"]) await fetch(`${peer.origin}/${path}`);
  await connection.change({ secret: "good" });
  await fetch(peer.origin);
  await fetch(peer.origin);
  await connection.change({ status: "disabled" });
  await connection.remove();
  const events = await eventsKept(api, root.accountId);
  expect(events.map(({ type, sequence, data }) => [type, sequence, data.connection.status])).toEqual([
    ["connection.created", 1, "active"],
    ["connection.broken", 2, "broken"],
    ["connection.rotated", 3, "active"],
    ["connection.recovered", 4, "active"],
    ["connection.disabled", 5, "disabled"],
    ["connection.deleted", 6, "disabled"],
  ]);
  expect(JSON.stringify(events)).not.toMatch(/s3cr3t|good/);
});

test.each([
  [
    "is not there",
    { how: "stopped", timeoutMs: 10_000, code: "unreachable" },
    { code: "service_unavailable", operationState: "not_started" },
  ],
  [
    "resets the connection",
    { how: "reset", timeoutMs: 10_000, code: "unreachable" },
    { code: "service_failed", operationState: "unknown" },
  ],
  [
    "does not answer in time",
    { how: "hang", timeoutMs: 300, code: "timeout" },
    { code: "service_timeout", operationState: "unknown" },
  ],
])("tells of a peer that %s, and tries it again", async (_, { how, timeoutMs, code }, expected) => {
  const peer = await startPeer(() => (how === "hang" ? "hang" : "reset"));
  if (how === "stopped") await peer.stop();
  const connection = await connect(api, { allowedHosts: [peer.host] });
  const { fetch } = await connection.use();
  await expect(fetch(peer.origin, { timeoutMs })).rejects.toMatchObject(expected);
  expect(await connection.read()).toMatchObject({ status: "active", lastError: { code } });
  await expect(fetch(peer.origin, { timeoutMs })).rejects.toMatchObject(expected);
});

test("never writes its secret to a log or table, while it is used, refused and renewed", async () => {
  const written: string[] = [];
  const write = vi.spyOn(process.stderr, "write").mockImplementation((line) => {
    written.push(String(line));
    return true;
  });
  const oauth = await startOAuth((token) => token === "Bearer token-1");
  const connection = await connect(api, { ...oauth.settings, secret: SECRET });
  const { fetch } = await connection.use();
  expect((await fetch(`${oauth.origin}/orders`)).status).toBe(200);
  const refused = await startPeer(() => ({ status: 401 }));
  const broken = await connect(api, { allowedHosts: [refused.host] });
  for (const path of ["a", "b", "c"]) await (await broken.use()).fetch(`${refused.origin}/${path}`);
  const gone = await startPeer(() => ({ status: 200 }));
  await gone.stop();
  const lost = await connect(api, { allowedHosts: [gone.host] });
  await expect((await lost.use()).fetch(`${gone.origin}/`)).rejects.toMatchObject({
    code: "service_unavailable",
  });
  await broken.change({ secret: `${SECRET}, renewed` });
  write.mockRestore();
  const dump = await everyRow(api);
  expect(dump).toContain(uuidOf("account", broken.accountId));
  for (const place of [...written, dump])
    for (const secret of [SECRET, "token-1"])
      for (const encoding of ["utf8", "hex", "base64"] as const)
        expect(place.includes(Buffer.from(secret).toString(encoding))).toBe(false);
});

test("does not count uses as requests", async () => {
  const root = await api.createRootKey();
  const peer = await startPeer(echo);
  const { fetch } = await (await connect(api, { allowedHosts: [peer.host] }, root)).use();
  await fetch(peer.origin);
  const { usage } = (await api.send("GET", "/v1/usage", { key: root.key })).body;
  // The creation of the key and of the connection.
  expect(usage.totals.requests).toBe(2);
});
