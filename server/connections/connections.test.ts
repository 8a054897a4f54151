import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";

const api = await startApi();
const SECRET = "s3cr3t-of-the-outside-system";
const BEARER = {
  label: "Orders",
  provider: "orders",
  authType: "bearer",
  secret: SECRET,
  allowedHosts: ["api.example.com"],
};
const OAUTH2 = {
  ...BEARER,
  authType: "oauth2_client",
  clientId: "backend",
  tokenUrl: "https://auth.example.com/token",
  allowedHosts: ["*.example.com", "auth.example.com:443"],
};

async function create(key: string, body: object = BEARER) {
  const { status, body: answer } = await api.send("POST", "/v1/connections", { key, body });
  expect(status).toBe(201);
  return answer.connection;
}

function patch(key: string, id: string, body: object) {
  return api.send("PATCH", `/v1/connections/${id}`, { key, body });
}

test("creates, reads, lists, changes and deletes a connection without ever answering its secret", async () => {
  const { key } = await api.createRootKey();
  const created = await create(key, { ...BEARER, metadata: { team: "eu" } });
  expect(created).toEqual({
    id: expect.stringMatching(/^conn_/),
    label: "Orders",
    provider: "orders",
    authType: "bearer",
    allowedHosts: ["api.example.com"],
    headerName: null,
    username: null,
    clientId: null,
    tokenUrl: null,
    tokenScopes: null,
    status: "active",
    secretFingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
    secretVersion: 1,
    rotatedAt: null,
    expiresAt: null,
    lastUsedAt: null,
    lastError: null,
    metadata: { team: "eu" },
    projectId: null,
    endUser: null,
    createdAt: expect.stringMatching(/\.\d{3}Z$/),
  });
  const path = `/v1/connections/${created.id}`;
  expect((await api.send("GET", path, { key })).body.connection).toEqual(created);
  expect((await api.send("GET", "/v1/connections", { key })).body.connections).toEqual([created]);
  const changed = await patch(key, created.id, { label: "Orders EU", status: "disabled", metadata: null });
  expect(changed.body.connection).toEqual({
    ...created,
    label: "Orders EU",
    status: "disabled",
    metadata: {},
  });
  const deleted = await api.send("DELETE", path, { key });
  expect(deleted.body.connection).toEqual(changed.body.connection);
  expect((await api.send("GET", path, { key })).status).toBe(404);
});

test("lists the connections of one type", async () => {
  const { key } = await api.createRootKey();
  await create(key);
  const oauth2 = await create(key, OAUTH2);
  const { body } = await api.send("GET", "/v1/connections?authType=oauth2_client", { key });
  expect(body.connections).toEqual([oauth2]);
  expect((await api.send("GET", "/v1/connections?authType=basic", { key })).body.connections).toEqual([]);
});

test.each(["whsec_5f2cMfKQ9r8GKYqrTwjUPD8ILPZIo2La", `whsec_${Buffer.alloc(32, 7).toString("base64")}`])(
  "takes the signing secret %s of another system, as its secret alone",
  async (secret) => {
    const { key } = await api.createRootKey();
    const { id } = await create(key, { ...BEARER, secret });
    expect((await patch(key, id, { secret })).status).toBe(200);
    const own = await api.send("POST", "/v1/connections", { key, body: { ...BEARER, secret: key } });
    expect(own.body.error.code).toBe("credential_in_body");
    const elsewhere = await patch(key, id, {
      metadata: { note: `whsec_${Buffer.alloc(32).toString("base64")}` },
    });
    expect(elsewhere.body.error.code).toBe("credential_in_body");
  },
);

test("lists the connections that may be used for a host", async () => {
  const { key } = await api.createRootKey();
  const exact = await create(key);
  const below = await create(key, OAUTH2);
  const port = await create(key, { ...BEARER, allowedHosts: ["api.example.com:8443"] });
  const idsOf = async (host: string) => {
    const path = `/v1/connections?host=${encodeURIComponent(host)}`;
    return (await api.mustSend(200, "GET", path, { key })).connections.map(({ id }: { id: string }) => id);
  };
  expect(await idsOf("API.example.com")).toEqual([below.id, exact.id]);
  expect(await idsOf("api.example.com:8443")).toEqual([port.id, below.id, exact.id]);
  expect(await idsOf("auth.example.com")).toEqual([below.id]);
  for (const host of ["example.com", "pi.example.com.evil.test", "*.example.com", "no host", "api"])
    expect(await idsOf(host), host).toEqual([]);
});

test("rotates the secret: another version and fingerprint, stored in no form that can be read", async () => {
  const { key, accountId } = await api.createRootKey();
  const before = await create(key);
  const again = await create(key);
  expect(again.secretFingerprint).toBe(before.secretFingerprint);
  const stranger = await create((await api.createRootKey()).key);
  expect(stranger.secretFingerprint).not.toBe(before.secretFingerprint);
  const { connection } = (await patch(key, before.id, { secret: "the-next-one" })).body;
  expect(connection).toMatchObject({
    secretVersion: 2,
    rotatedAt: expect.stringMatching(/Z$/),
    status: "active",
  });
  expect(connection.secretFingerprint).not.toBe(before.secretFingerprint);
  const [stored] = await api.platform.database.db.execute<{ everything: string }>(sql`
    select string_agg(c::text, '') || (select string_agg(convert_from(body, 'UTF8'), '') from idempotency_records
      where account_id = ${uuidOf("account", accountId)} and body is not null) as everything
    from connections c where account_id = ${uuidOf("account", accountId)}`);
  const hex = (text: string) => Buffer.from(text).toString("hex");
  for (const secret of [SECRET, "the-next-one", hex(SECRET), hex("the-next-one")])
    expect(stored?.everything).not.toContain(secret);
});

test.each([
  ["a path", { allowedHosts: ["api.example.com/v1"] }, "body.allowedHosts.0"],
  ["a scheme", { allowedHosts: ["https://api.example.com"] }, "body.allowedHosts.0"],
  ["a user", { allowedHosts: ["me@api.example.com"] }, "body.allowedHosts.0"],
  ["a wildcard in the middle", { allowedHosts: ["api.*.com"] }, "body.allowedHosts.0"],
  ["everything", { allowedHosts: ["api.example.com", "*"] }, "body.allowedHosts.1"],
  ["a whole top-level domain", { allowedHosts: ["*.com"] }, "body.allowedHosts.0"],
  ["a country's public suffix", { allowedHosts: ["*.co.uk"] }, "body.allowedHosts.0"],
  ["a public suffix of a company", { allowedHosts: ["*.github.io"] }, "body.allowedHosts.0"],
  ["a wildcard of an address", { allowedHosts: ["*.10.0.0.1"] }, "body.allowedHosts.0"],
  ["no port", { allowedHosts: ["api.example.com:0"] }, "body.allowedHosts.0"],
  ["no host at all", { allowedHosts: [] }, "body.allowedHosts"],
  ["a line break in the secret", { secret: "a\r\nX-Admin: 1" }, "body.secret"],
  ["a secret that no header holds", { secret: "schlüssel" }, "body.secret"],
  ["a header for a bearer token", { headerName: "X-Key" }, "body.headerName"],
  ["a header with a line break", { authType: "api_key", headerName: "X\r\nHost" }, "body.headerName"],
  ["a header that routes", { authType: "api_key", headerName: "hOsT" }, "body.headerName"],
  ["a header that frames", { authType: "api_key", headerName: "Transfer-Encoding" }, "body.headerName"],
  ["no user for basic authentication", { authType: "basic" }, "body.username"],
  ["a colon in the user", { authType: "basic", username: "a:b" }, "body.username"],
  ["no client for OAuth 2.0", { ...OAUTH2, clientId: undefined }, "body.clientId"],
  ["a token address elsewhere", { ...OAUTH2, tokenUrl: "https://evil.test/" }, "body.tokenUrl"],
  ["a plain token address", { ...OAUTH2, tokenUrl: "http://auth.example.com/" }, "body.tokenUrl"],
  ["a token address with a user", { ...OAUTH2, tokenUrl: "https://a:b@auth.example.com/" }, "body.tokenUrl"],
  ["an expiry in the past", { expiresAt: "2020-01-01T00:00:00.000Z" }, "body.expiresAt"],
])("refuses %s", async (_, change, path) => {
  const { key } = await api.createRootKey();
  const { status, body } = await api.send("POST", "/v1/connections", { key, body: { ...BEARER, ...change } });
  expect(status).toBe(400);
  expect(body.error.issues).toEqual([{ path, message: expect.any(String) }]);
  expect(JSON.stringify(body)).not.toContain(SECRET);
});

test("writes hosts in one way", async () => {
  const { key } = await api.createRootKey();
  const allowedHosts = ["API.Example.com", "api.example.com", "bücher.example:8443", "[::FFFF]:443"];
  expect((await create(key, { ...BEARER, allowedHosts })).allowedHosts).toEqual([
    "api.example.com",
    "xn--bcher-kva.example:8443",
    "[::ffff]:443",
  ]);
});

test.each([
  ["another host", { allowedHosts: ["*.example.com", "api.example.org"] }, "body.allowedHosts"],
  ["the domain above a wildcard", { allowedHosts: ["*.example.com", "example.com"] }, "body.allowedHosts"],
  ["a wildcard for another", { allowedHosts: ["*.example.com", "*.example.net"] }, "body.allowedHosts"],
  ["another token address", { tokenUrl: "https://evil.example.com/" }, "body.tokenUrl"],
])("lets nobody who doesn't know the secret have it sent to %s", async (_, change, path) => {
  const { key } = await api.createRootKey();
  const { id } = await create(key, OAUTH2);
  const refused = await patch(key, id, change);
  expect(refused.body.error).toMatchObject({ status: 400, code: "invalid_request", issues: [{ path }] });
  const known = await patch(key, id, { ...change, secret: SECRET });
  expect(known.body.connection).toMatchObject({ ...change, secretVersion: 2 });
});

test("lets hosts be narrowed without the secret", async () => {
  const { key } = await api.createRootKey();
  const { id } = await create(key, OAUTH2);
  const narrowed = await patch(key, id, { allowedHosts: ["api.example.com", "auth.example.com:443"] });
  expect(narrowed.body.connection).toMatchObject({
    allowedHosts: ["api.example.com", "auth.example.com:443"],
    secretVersion: 1,
  });
  const cut = await patch(key, id, { allowedHosts: ["api.example.com"] });
  expect(cut.body.error.issues).toEqual([{ path: "body.tokenUrl", message: expect.any(String) }]);
});

test("keeps a project's and an end user's connections to themselves", async () => {
  const { key } = await api.createRootKey();
  const project = (await api.send("POST", "/v1/projects", { key, body: { name: "Shop" } })).body.project.id;
  const theirs = { key, headers: { "x-service-project": project, "x-service-end-user": "ada" } };
  const { body } = await api.send("POST", "/v1/connections", { ...theirs, body: BEARER });
  expect(body.connection).toMatchObject({ projectId: project, endUser: "ada" });
  await create(key);
  const seen = await api.send("GET", "/v1/connections", theirs);
  expect(seen.body.connections).toEqual([body.connection]);
  const others = await api.send("GET", `/v1/connections/${body.connection.id}`, {
    key,
    headers: { "x-service-end-user": "grace" },
  });
  expect(others.status).toBe(404);
  expect((await api.send("GET", "/v1/connections", { key })).body.connections).toHaveLength(2);
});

test("makes one connection of parallel duplicates, and two rotations of two", async () => {
  const { key } = await api.createRootKey();
  const answers = await Promise.all(
    [1, 2, 3].map(() =>
      api.send("POST", "/v1/connections", { key, body: BEARER, idempotencyKey: "duplicate-1" }),
    ),
  );
  const [id, ...others] = [...new Set(answers.map((answer) => answer.body.connection.id))];
  expect(others).toEqual([]);
  await Promise.all([patch(key, id, { secret: "one" }), patch(key, id, { secret: "two" })]);
  expect((await api.send("GET", `/v1/connections/${id}`, { key })).body.connection.secretVersion).toBe(3);
});
