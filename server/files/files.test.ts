import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { outbox } from "#db/schema/webhooks.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { stopClock } from "#server/testing/clock.ts";
import { caller, signInMember } from "#server/testing/console.ts";
import { listen } from "#server/testing/events.ts";
import { connectMcp } from "#server/testing/mcp-client.ts";

const api = await startApi();
const { key, accountId } = await api.createRootKey();

function upload(content: string | Uint8Array, headers: Record<string, string> = {}, options = {}) {
  const named = { "x-file-name": "hello.txt", "content-type": "text/plain", ...headers };
  return api.send("POST", "/v1/files", { key, bytes: Buffer.from(content), headers: named, ...options });
}

const bytesOf = (id: string, headers: Record<string, string> = {}) =>
  api.send("GET", `/v1/files/${id}`, { key, headers: { accept: "application/octet-stream", ...headers } });

test("uploads, describes, downloads and deletes a file", async () => {
  const created = await upload("hello", { "x-service-file-purpose": "greetings" });
  expect(created.status).toBe(201);
  const { file } = created.body;
  const sha256 = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
  expect(file).toEqual({
    id: expect.stringMatching(/^file_/),
    name: "hello.txt",
    mediaType: "text/plain",
    sizeBytes: 5,
    sha256,
    purpose: "greetings",
    projectId: null,
    endUser: null,
    createdAt: expect.stringMatching(/Z$/),
    downloadUrl: expect.stringMatching(/^http:\/\/platform\.test\/downloads\//),
    downloadUrlExpiresAt: expect.stringMatching(/Z$/),
  });
  const path = file.downloadUrl.replace("http://platform.test", "");
  const read = await api.send("GET", `/v1/files/${file.id}`, { key });
  expect(read.body.file).toMatchObject({ id: file.id, name: "hello.txt", sha256 });
  const found = async (search: string) =>
    (await api.mustSend(200, "GET", `/v1/files?search=${search}`, { key })).files;
  expect(await found(sha256.toUpperCase())).toMatchObject([{ id: file.id }]);
  expect(await found(sha256.replace("2", "3"))).toEqual([]);
  const bytes = await bytesOf(file.id);
  expect([bytes.status, bytes.body.toString(), bytes.headers.get("etag")]).toEqual([
    200,
    "hello",
    `"${sha256}"`,
  ]);
  const signed = await api.send("GET", path, { headers: { range: "bytes=1-2" } });
  expect([signed.status, signed.body.toString()]).toEqual([206, "el"]);
  const gone = await api.send("DELETE", `/v1/files/${file.id}`, { key });
  expect(gone.body.file).toMatchObject({ id: file.id, downloadUrl: null });
  const after = await Promise.all([bytesOf(file.id), api.send("GET", path)]);
  expect(after.map(({ status }) => status)).toEqual([404, 404]);
});

test.for([
  ["application/octet-stream", "bytes"],
  ["text/plain", "bytes"],
  ["application/json;q=0.5, text/plain", "bytes"],
  ["*/*", "json"],
  ["application/json", "json"],
  ["application/json, text/plain;q=0.5", "json"],
  ["image/png", "json"],
] as const)("answers Accept: %s with %s", async ([accept, form]) => {
  const { body } = await upload("hello");
  const answer = await bytesOf(body.file.id, { accept });
  expect(answer.body.toString() === "hello" ? "bytes" : "json").toBe(form);
});

const NAMES: [sent: string, name: string][] = [
  ["plain.txt", "plain.txt"],
  ["UTF-8''%e2%82%ac%20rates.txt", "€ rates.txt"],
  ["utf-8'de'Gr%C3%BC%C3%9Fe.txt", "Grüße.txt"],
  [Buffer.from("Ünïcödé 🎉.txt").toString("latin1"), "Ünïcödé 🎉.txt"],
  ["100%.txt", "100%.txt"],
  ["..hidden", "..hidden"],
];

test.for(NAMES)("takes the name %s", async ([sent, name]) => {
  const { status, body } = await upload("hello", { "x-file-name": sent });
  expect([status, body.file.name]).toEqual([201, name]);
  const listed = await api.send("GET", `/v1/files?name=${encodeURIComponent(name)}`, { key });
  expect(listed.body.files.map((file: { name: string }) => file.name)).toEqual([name]);
});

test.for([
  "a/b.txt",
  "a\\b.txt",
  ".",
  "..",
  "UTF-8''..%2Fetc%2Fpasswd",
  "UTF-8''a%00b",
  "UTF-8''a%0d%0aSet-Cookie:%20x",
  "UTF-8''invoice%E2%80%AEfdp.exe",
  "UTF-8''%FF",
  "UTF-8''%20%20",
  "x".repeat(1025),
])("refuses the name %s", async (name) => {
  const { status, body } = await upload("hello", { "x-file-name": name });
  expect([status, body.error.code, body.error.issues[0].path]).toEqual([
    400,
    "invalid_request",
    "header.x-file-name",
  ]);
});

test("refuses an upload without a name, and keeps one without content", async () => {
  const nameless = await api.send("POST", "/v1/files", { key, bytes: Buffer.from("hello") });
  expect(nameless.body.error.issues).toEqual([
    { path: "header.x-file-name", message: "Required: send a string." },
  ]);
  const empty = await upload("");
  expect([empty.status, empty.body.file.sizeBytes]).toEqual([201, 0]);
  expect((await bytesOf(empty.body.file.id)).body.length).toBe(0);
});

test("lists by purpose, project and end user, each exactly", async () => {
  const own = await api.createRootKey();
  const project = (await api.send("POST", "/v1/projects", { key: own.key, body: { name: "Shop" } })).body
    .project;
  const put = (headers: Record<string, string>) => upload("hello", headers, { key: own.key });
  const inProject = (await put({ "x-service-project": project.id })).body.file;
  const forUser = (await put({ "x-service-end-user": "customer-1", "x-service-file-purpose": "avatar" })).body
    .file;
  const ids = async (query: string, headers = {}) => {
    const { body } = await api.send("GET", `/v1/files?${query}`, { key: own.key, headers });
    return body.files.map((file: { id: string }) => file.id);
  };
  expect(forUser).toMatchObject({ endUser: "customer-1", projectId: null });
  expect(await ids("")).toEqual([forUser.id, inProject.id]);
  expect(await ids(`projectId=${project.id}`)).toEqual([inProject.id]);
  expect(await ids("endUser=customer-1&purpose=avatar")).toEqual([forUser.id]);
  expect(await ids("endUser=nobody")).toEqual([]);
  expect(await ids("purpose=avatars")).toEqual([]);
  expect(await ids("", { "x-service-project": project.id })).toEqual([inProject.id]);
});

test("answers a repeated upload once, and refuses one with other bytes or another name", async () => {
  const idempotencyKey = unique("upload");
  const first = await upload("hello", {}, { idempotencyKey });
  const second = await upload("hello", {}, { idempotencyKey });
  expect(second.headers.get("idempotent-replayed")).toBe("true");
  expect(second.body).toEqual(first.body);
  const others = [
    await upload("jello", {}, { idempotencyKey }),
    await upload("hello", { "x-file-name": "other.txt" }, { idempotencyKey }),
    await upload("hello", { "x-service-file-purpose": "other" }, { idempotencyKey }),
    await upload("hello", { "content-type": "text/html" }, { idempotencyKey }),
  ];
  expect(others.map(({ status, body }) => [status, body.error.code])).toEqual(
    Array(4).fill([409, "idempotency_key_reused"]),
  );
});

test("makes one file of concurrent uploads under one idempotency key", async () => {
  const idempotencyKey = unique("upload");
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      upload("x".repeat(200_000), { "x-file-name": "once.txt" }, { idempotencyKey }),
    ),
  );
  expect(new Set(answers.map(({ body }) => body.file.id)).size).toBe(1);
  const listed = await api.send("GET", "/v1/files?name=once.txt", { key });
  expect(listed.body.files).toHaveLength(1);
});

test("takes a checksum in either case, and names it in the answer", async () => {
  const sha256 = createHash("sha256").update("hello").digest("hex");
  const { status, headers } = await upload("hello", { "x-content-sha256": sha256.toUpperCase() });
  expect([status, headers.get("x-content-sha256")]).toEqual([201, sha256]);
});

test("emits events for created and deleted files, without a download address", async () => {
  const own = await api.createRootKey();
  await listen(api, own.accountId);
  const { file } = (await upload("hello", {}, { key: own.key })).body;
  await api.send("DELETE", `/v1/files/${file.id}`, { key: own.key });
  const events = await api.platform.database.db.query.outbox.findMany({
    where: (row, { eq }) => eq(row.accountId, own.accountId),
    orderBy: outbox.id,
  });
  const data = { file: { id: file.id, sha256: file.sha256, downloadUrl: null } };
  expect(events.map(({ payload }) => JSON.parse(payload))).toMatchObject([
    { type: "file.created", sequence: 1, data },
    { type: "file.deleted", sequence: 2, data },
  ]);
});

test("an agent uploads text as JSON, and gets an address for the bytes", async () => {
  const { call } = await connectMcp(api.origin, key);
  const input = { "X-File-Name": "note.md", "Content-Type": "text/markdown", content: "# Grüße" };
  const made = await call("execute_write", {
    operation: "files.create",
    input,
    idempotencyKey: unique("agent"),
  });
  const { file } = made.body;
  expect(file).toMatchObject({ name: "note.md", mediaType: "text/markdown", sizeBytes: 9 });
  const answer = await api.send("GET", file.downloadUrl.replace("http://platform.test", ""));
  expect(answer.body.toString()).toBe("# Grüße");
});

test.each(["\u0000", "€", "\u007f", "\ud800"])(
  "refuses a media type with %j, which no header can carry",
  async (character) => {
    const { call } = await connectMcp(api.origin, key);
    const refused = await call("execute_write", {
      operation: "files.create",
      input: { "X-File-Name": "a.txt", "Content-Type": `text/plain; a="${character}"`, content: "a" },
      idempotencyKey: unique("agent"),
    });
    expect([refused.isError, refused.body.error.code]).toEqual([true, "unsupported_media_type"]);
  },
);

test("ends the address of a download when it has said", async () => {
  const { file } = (await upload("hello")).body;
  const path = file.downloadUrl.replace("http://platform.test", "");
  const ends = Date.parse(file.downloadUrlExpiresAt);
  stopClock(ends - 1000);
  expect((await api.send("GET", path)).status).toBe(200);
  stopClock(ends);
  expect((await api.send("GET", path)).body).toMatchObject({ error: { code: "not_found" } });
});

test("a person uploads by their session, from our own pages only", async () => {
  const { cookie } = await signInMember(api, accountId, "developer");
  const send = (headers: Record<string, string>) =>
    api.send("POST", "/api/bytes/files", {
      bytes: Buffer.from("hello"),
      headers: {
        "x-file-name": "UTF-8''Portr%C3%A4t.png",
        "content-type": "text/plain",
        cookie,
        ...headers,
      },
    });
  const done = await send({ origin: "http://platform.test" });
  expect([done.status, done.body.file.name]).toEqual([201, "Porträt.png"]);
  for (const headers of [{}, { origin: "https://evil.test" }, { origin: "null" }] as Record<
    string,
    string
  >[]) {
    const refused = await send(headers);
    expect([refused.status, refused.body.error.code]).toEqual([403, "policy_denied"]);
  }
  const viewer = await signInMember(api, accountId, "viewer");
  const denied = await send({ origin: "http://platform.test", cookie: viewer.cookie });
  expect(denied.body.error.code).toBe("scope_missing");
  const listed = await caller(api, cookie).query("files.list", { name: "Porträt.png" });
  expect(listed.data.files).toHaveLength(1);
});
