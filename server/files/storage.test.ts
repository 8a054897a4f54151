import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { sweepBlobs } from "#server/blobs/sweep-blobs.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { startServer } from "#server/testing/server-process.ts";

const folder = mkdtempSync(join(tmpdir(), "test-files-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const api = await startApi({ settings: { blobs: { folder } } });
const { key } = await api.createRootKey();
const { db } = api.platform.database;

const stored = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const loose = async () => (await db.execute(sql`select key from loose_blobs`)).length;

const headersOf = (length: number) => ({
  authorization: `Bearer ${key}`,
  "idempotency-key": unique("storage"),
  "x-file-name": "large.bin",
  "content-length": String(length),
});

const uploadOf = (bytes: AsyncIterable<Uint8Array>, size: number): RequestInit & { duplex: "half" } => ({
  method: "POST",
  headers: headersOf(size),
  body: Readable.toWeb(Readable.from(bytes)) as BodyInit,
  duplex: "half",
});

const upload = (bytes = Buffer.from("hello")) =>
  api.send("POST", "/v1/files", { key, bytes, headers: { "x-file-name": "hello.txt" } });

test("an upload that breaks off leaves nothing", async () => {
  const before = stored().length;
  const sent = request(`${api.origin}/v1/files`, { method: "POST", headers: headersOf(1_000_000) });
  sent.on("error", () => undefined);
  sent.write(Buffer.alloc(500_000));
  await expect.poll(() => stored().length).toBe(before + 1);
  sent.destroy();
  await expect.poll(() => stored().length).toBe(before);
  await expect.poll(loose).toBe(0);
});

test("an upload that ends before its announced length leaves nothing", async () => {
  const before = stored().length;
  const socket = connect(Number(new URL(api.origin).port), "127.0.0.1");
  const lines = Object.entries({ host: "platform.test", ...headersOf(10) }).map((pair) => pair.join(": "));
  socket.end(`POST /v1/files HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\nhello`);
  socket.resume();
  await once(socket, "close");
  await expect.poll(() => stored().length).toBe(before);
  const listed = await api.send("GET", "/v1/files?name=large.bin", { key });
  expect(listed.body.files).toEqual([]);
});

test("bytes are invited only once the upload may be made", async () => {
  const ask = async (extra: Record<string, string>) => {
    const headers = { ...headersOf(5), expect: "100-continue", ...extra };
    const sent = request(`${api.origin}/v1/files`, { method: "POST", headers });
    sent.on("continue", () => sent.end("hello"));
    sent.flushHeaders();
    const [response] = await once(sent, "response");
    response.resume();
    sent.destroy();
    return response.statusCode;
  };
  expect(await ask({})).toBe(201);
  expect(await ask({ "x-file-name": ".." })).toBe(400);
  expect(await ask({ authorization: "Bearer nobody" })).toBe(401);
});

test("an upload whose bytes differ from their checksum leaves nothing", async () => {
  const before = stored().length;
  const headers = { "x-file-name": "hello.txt", "x-content-sha256": "0".repeat(64) };
  const refused = await api.send("POST", "/v1/files", { key, bytes: Buffer.from("hello"), headers });
  expect(refused.body.error).toMatchObject({ code: "checksum_mismatch", status: 422 });
  expect(stored().length).toBe(before);
});

test("files answer 503 while their store is away, and health says so; both are well when it returns", async () => {
  const { file } = (await upload()).body;
  renameSync(folder, `${folder}-away`);
  const message = "The platform's blob store (the folder blobs in DATA_DIR) is not available.";
  const headers = { accept: "application/octet-stream" };
  const refused = await Promise.all([upload(), api.send("GET", `/v1/files/${file.id}`, { key, headers })]);
  for (const { status, body } of refused) {
    expect(status).toBe(503);
    expect(body.error).toMatchObject({ code: "service_unavailable", message, operationState: "not_started" });
  }
  const readHealth = async () => {
    const { status, body } = await api.send("GET", "/health");
    return [status, body.status, body.checks[1]];
  };
  const check = { name: "blobs", ok: false, durationMs: null, message };
  await expect.poll(readHealth).toEqual([200, "degraded", check]);
  renameSync(`${folder}-away`, folder);
  expect((await upload()).status).toBe(201);
  await expect.poll(async () => (await api.send("GET", "/health")).body.status).toBe("ok");
});

test("a process killed in the middle of an upload leaves nothing after two minutes, and a slow upload of another is kept", async () => {
  const before = stored().length;
  const [living, dying] = await Promise.all([
    startServer(api.databaseUrl, folder),
    startServer(api.databaseUrl, folder),
  ]);
  const size = 1000;
  const isSwept = async () => {
    await sweepBlobs(db, api.platform.blobs);
    return stored().length === before + 1 && (await loose()) === 1;
  };
  // It began before the other, so it is older when the sweep deletes the other.
  const slow = (async function* () {
    yield Buffer.from("x");
    await expect.poll(() => stored().length).toBe(before + 1);
    const sent = request(`${dying.origin}/v1/files`, { method: "POST", headers: headersOf(1_000_000) });
    sent.on("error", () => undefined);
    sent.write(Buffer.alloc(500_000));
    await expect.poll(() => stored().length).toBe(before + 2);
    dying.child.kill("SIGKILL");
    await once(dying.child, "exit");
    let left = size - 1;
    for (const began = Date.now(); Date.now() - began < 120_000 && !(await isSwept()); left--) {
      await sleep(1000);
      yield Buffer.from("x");
    }
    yield Buffer.alloc(left, "x");
  })();
  const created = await fetch(`${living.origin}/v1/files`, uploadOf(slow, size));
  expect(created.status).toBe(201);
  expect([stored().length, await loose()]).toEqual([before + 1, 0]);
  // The bytes reserved by the killed process are free again.
  const [{ used } = { used: "" }] = await db.execute<{ used: string }>(
    sql`select sum(used_bytes)::text as used from storage_usage`,
  );
  const [{ bytes } = { bytes: "" }] = await db.execute<{ bytes: string }>(
    sql`select sum(size_bytes)::text as bytes from files`,
  );
  expect(used).toBe(bytes);
});

const SIZE = 300_000_000;

const memoryOf = ({ pid }: ChildProcess) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;

async function* zeros(size: number) {
  const chunk = Buffer.alloc(65_536, "0123456789abcdef");
  for (let sent = 0; sent < size; sent += chunk.length) yield chunk.subarray(0, size - sent);
}

test("300 MB in and out increase memory by less than 64 MB", async () => {
  const { child, origin } = await startServer(api.databaseUrl, folder);
  await fetch(`${origin}/v1/files`, { headers: { authorization: `Bearer ${key}` } });
  const before = memoryOf(child);
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, memoryOf(child));
  }, 20);
  const created = await fetch(`${origin}/v1/files`, uploadOf(zeros(SIZE), SIZE));
  const { file } = await created.json();
  const hash = createHash("sha256");
  const headers = { authorization: `Bearer ${key}`, accept: "application/octet-stream" };
  const download = await fetch(`${origin}/v1/files/${file.id}`, { headers });
  for await (const chunk of download.body ?? []) hash.update(chunk);
  clearInterval(watch);
  expect([created.status, file.sizeBytes, hash.digest("hex")]).toEqual([201, SIZE, file.sha256]);
  expect(most - before).toBeLessThan(64 * 1024 * 1024);
});
