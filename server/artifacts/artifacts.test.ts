import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { sweepBlobs } from "#server/blobs/sweep-blobs.ts";
import { startApi } from "#server/testing/api.ts";
import { caller, signInMember } from "#server/testing/console.ts";
import { makeArtifact } from "#server/testing/resources.ts";
import { startRuns } from "#server/testing/runs.ts";
import { createStarter } from "#server/testing/workflows.ts";
import { purgeArtifacts } from "./purge-artifacts.ts";

const api = await startApi();
const { db } = api.platform.database;
const { key, accountId } = await api.createRootKey();
const SHA256 = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

const read = (id: string, headers: Record<string, string> = {}) =>
  api.send("GET", `/v1/artifacts/${id}/content`, { key, headers });

test("lists an account's artifacts, newest first, and those of one run", async () => {
  const own = await api.createRootKey();
  const first = await makeArtifact(api, own.key);
  const second = await makeArtifact(api, own.key);
  const all = await api.send("GET", "/v1/artifacts", { key: own.key });
  expect(all.body).toEqual({ ok: true, artifacts: [second, first], nextCursor: null });
  const ofRun = await api.send("GET", `/v1/artifacts?runId=${first.runId}`, { key: own.key });
  expect(ofRun.body.artifacts).toEqual([first]);
  const found = await api.send("GET", `/v1/artifacts?search=${SHA256.toUpperCase()}`, { key: own.key });
  expect(found.body.artifacts).toEqual([second, first]);
});

test("answers the bytes as a download that no browser runs", async () => {
  const { id } = await makeArtifact(api, key, { name: 'Grüße "1".html' });
  const { status, headers, body } = await read(id);
  expect([status, body.toString()]).toEqual([200, "hello"]);
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "text/plain",
    "content-length": "5",
    "content-disposition": `attachment; filename="Gr??e \\"1\\".html"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%22.html`,
    "x-content-sha256": SHA256,
    etag: `"${SHA256}"`,
    "accept-ranges": "bytes",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  });
});

test("answers the bytes of a media type that no header can carry", async () => {
  const worker = await startRuns(api);
  onTestFinished(() => worker.stop());
  const { run, get } = await createStarter(api);
  const file = { type: "artifact", name: "a.txt", content: "hello" };
  const done = await run([
    { ...file, id: "euro", mediaType: 'text/plain; a="€"' },
    { ...file, id: "umlaut", mediaType: 'text/plain; a="ü"' },
  ]);
  const answers = await Promise.all(done.artifactIds.map((id: string) => get(`/v1/artifacts/${id}/content`)));
  expect(answers.map(({ status, headers }) => [status, headers.get("content-type")])).toEqual([
    [200, "application/octet-stream"],
    [200, 'text/plain; a="ü"'],
  ]);
});

test.for([
  ["bytes=1-3", 206, "ell", "bytes 1-3/5"],
  ["bytes=-2", 206, "lo", "bytes 3-4/5"],
  ["bytes=3-", 206, "lo", "bytes 3-4/5"],
  ["bytes=3-99", 206, "lo", "bytes 3-4/5"],
  ["bytes=0-1,3-4", 200, "hello", null],
  ["lines=1-2", 200, "hello", null],
] as const)("answers the range %s with %i", async ([range, status, text, contentRange]) => {
  const { id } = await makeArtifact(api, key);
  const answer = await read(id, { range });
  expect([answer.status, answer.body.toString()]).toEqual([status, text]);
  expect(answer.headers.get("content-range")).toBe(contentRange);
});

test("refuses a range beyond the end, saying how many bytes there are", async () => {
  const { id } = await makeArtifact(api, key);
  const { status, headers, body } = await read(id, { range: "bytes=5-" });
  expect([status, body.error.code, headers.get("content-range")]).toEqual([
    416,
    "range_not_satisfiable",
    "bytes */5",
  ]);
});

test("answers 304 to a client that has the bytes, and a range only of the same bytes", async () => {
  const { id } = await makeArtifact(api, key);
  const same = await read(id, { "if-none-match": `"other", "${SHA256}"` });
  expect([same.status, same.body.length]).toEqual([304, 0]);
  const other = await read(id, { range: "bytes=1-3", "if-range": '"other"' });
  expect([other.status, other.body.toString()]).toEqual([200, "hello"]);
  const head = await api.send("HEAD", `/v1/artifacts/${id}/content`, { key });
  expect([head.status, head.headers.get("content-length"), head.body.length]).toEqual([200, "5", 0]);
});

test("keeps artifacts of services outside the key's boundary from it", async () => {
  const own = await api.createRootKey();
  const { id } = await makeArtifact(api, own.key, { serviceId: "managed-workflows" });
  const child = await api.createChild(own.key, { allowedServices: ["managed-memory"] });
  const listed = await api.send("GET", "/v1/artifacts", { key: child.key });
  expect(listed.body.artifacts).toEqual([]);
  const below = await api.createChild(child.key);
  const refused = await api.send("GET", `/v1/artifacts/${id}/content`, { key: below.key });
  expect(refused.body.error).toMatchObject({
    status: 403,
    code: "service_not_allowed",
    check: "service",
    keyId: child.apiKey.id,
  });
});

test("forgets an artifact when it expires, and deletes its bytes", async () => {
  const { id } = await makeArtifact(api, key);
  const rows = await db.execute<{ blob_key: string }>(sql`
    update artifacts set expires_at = now() where blob_key = (select blob_key from artifacts order by id desc limit 1)
    returning blob_key`);
  expect((await read(id)).status).toBe(404);
  expect(await purgeArtifacts(db)).toBe(1);
  await sweepBlobs(db, api.platform.blobs);
  await expect(api.platform.blobs.read(defined(rows[0]?.blob_key))).rejects.toThrow("is not available");
});

test("gives people in the console an address to download from, without a key, for a while", async () => {
  const { id } = await makeArtifact(api, key);
  const member = caller(api, (await signInMember(api, accountId, "viewer")).cookie);
  const { data } = await member.query("artifacts.content.read", { artifactId: id });
  expect(data).toMatchObject({ artifact: { id } });
  const path = data.downloadUrl.replace("http://platform.test", "");
  const answer = await api.send("GET", path);
  expect([answer.status, answer.body.toString(), answer.headers.get("cache-control")]).toEqual([
    200,
    "hello",
    "private, no-cache",
  ]);
  for (const changed of [path.slice(0, -3), path.replace("/downloads/W", "/downloads/X")]) {
    const refused = await api.send("GET", changed);
    expect([refused.status, refused.body.error.code]).toEqual([404, "not_found"]);
  }
});

test("gives a person's browser the bytes by their session, to our own pages only", async () => {
  const { id } = await makeArtifact(api, key);
  const { cookie } = await signInMember(api, accountId, "viewer");
  const path = `/api/bytes/artifacts/${id}/content`;
  const answer = await api.send("GET", path, { headers: { cookie } });
  expect([answer.status, answer.body.toString()]).toEqual([200, "hello"]);
  const foreign = await api.send("GET", path, { headers: { cookie, "sec-fetch-site": "cross-site" } });
  expect([foreign.status, foreign.body.error.code]).toEqual([403, "policy_denied"]);
  expect((await api.send("GET", path)).status).toBe(401);
});

test("frees a place under maxConcurrent once the bytes have been read", async () => {
  const { id } = await makeArtifact(api, key, { content: "x".repeat(4_000_000) });
  const limits = { "artifacts.content.read": { maxConcurrent: 1 } };
  const child = await api.createChild(key, { limits });
  const headers = { authorization: `Bearer ${child.key}` };
  const slow = await fetch(`${api.origin}/v1/artifacts/${id}/content`, { headers });
  const second = await api.send("GET", `/v1/artifacts/${id}/content`, { key: child.key });
  expect([second.status, second.body.error.code]).toEqual([429, "limit_exhausted"]);
  await slow.arrayBuffer();
  await expect
    .poll(async () => (await api.send("GET", `/v1/artifacts/${id}/content`, { key: child.key })).status)
    .toBe(200);
});
