import { spawn, spawnSync } from "node:child_process";
import { scrypt } from "node:crypto";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { onCleanup } from "#server/testing/cleanup.ts";
import { startClock } from "#server/testing/cpu.ts";

const folder = mkdtempSync(join(tmpdir(), "hanging-blobs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const api = await startApi({ settings: { blobs: { folder } } });
const { key } = await api.createRootKey();
const large = Buffer.alloc(5_000_000, "0123456789abcdef");

const upload = (bytes: Uint8Array) =>
  api.send("POST", "/v1/files", { key, bytes, headers: { "x-file-name": "file.bin" } });
const download = (id: string) =>
  api.send("GET", `/v1/files/${id}`, { key, headers: { accept: "application/octet-stream" } });
const times = <Result>(count: number, make: () => Result) => Array.from({ length: count }, make);
const filesIn = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Mounts a FUSE file system without a server over the folder, until its input ends: every access hangs. */
const MOUNT = `exec 3<>/dev/fuse
mount -i -t fuse -o fd=3,rootmode=40000,user_id=0,group_id=0 none "$1" || exit 1
echo mounted
cat > /dev/null
exec 3>&-
umount --lazy "$1"`;

/** True if this process may mount such a file system. */
const canHang = (() => {
  if (!existsSync("/dev/fuse")) return false;
  const folder = mkdtempSync(join(tmpdir(), "hanging-folder-"));
  const mounted = spawnSync("sh", ["-c", MOUNT, "sh", folder], { input: "", stdio: "pipe" }).status === 0;
  rmSync(folder, { recursive: true });
  return mounted;
})();

/** Makes every access to a folder hang, as if its file server were gone, until the returned function is called. */
async function hangFolder(folder: string): Promise<() => Promise<void>> {
  const child = spawn("sh", ["-c", MOUNT, "sh", folder], { stdio: ["pipe", "pipe", "inherit"] });
  const gone = once(child, "exit");
  await once(child.stdout, "data");
  async function free() {
    child.stdin.end();
    await gone;
  }
  onCleanup(free);
  return free;
}

/** Expects all calls to respond 503 within five seconds, naming the folder. */
async function expectUnavailable(calls: readonly Promise<{ status: number; body: { error: Error } }>[]) {
  const clock = startClock();
  const answers = await Promise.all(calls);
  expect(clock()).toBeLessThan(5000);
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.error?.message}`))).toEqual(
    new Set(["503 The platform's blob store (the folder blobs in DATA_DIR) is not available."]),
  );
}

/** Expects that other work still gets one of the process's threads. */
async function expectThreads() {
  const clock = startClock();
  await Promise.all([lookup("localhost"), promisify(scrypt)("password", "salt", 32)]);
  expect(clock()).toBeLessThan(4000);
}

test.runIf(canHang)(
  "answers within five seconds while the folder of blobs hangs, serves calls without bytes as usual, and all when it is back",
  async () => {
    const written = vi.spyOn(process.stderr, "write");
    onTestFinished(() => written.mockRestore());
    const began = performance.now();
    const { file } = (await upload(Buffer.from("hello"))).body;
    const { file: deleted } = (await upload(Buffer.from("gone"))).body;
    const free = await hangFolder(folder);
    for (const id of [file.id, file.id]) {
      const calls = [
        upload(large),
        ...times(25, () => upload(Buffer.from("small"))),
        ...times(25, () => download(id)),
      ];
      const others = Promise.all([expectThreads(), api.send("GET", "/v1/files", { key })]);
      await expectUnavailable(calls);
      expect((await others)[1].status).toBe(200);
      await expectThreads();
      await expect
        .poll(async () => (await api.send("GET", "/health")).body)
        .toMatchObject({
          status: "degraded",
          checks: [{}, { name: "blobs", ok: false }],
        });
    }
    const clock = startClock();
    expect((await api.send("DELETE", `/v1/files/${deleted.id}`, { key })).status).toBe(200);
    expect(clock()).toBeLessThan(5000);
    const lines = written.mock.calls.filter(([line]) => String(line).includes("The blob store failed."));
    expect(lines.length).toBeLessThanOrEqual(1 + (performance.now() - began) / 60_000);
    await free();
    const sinceBack = startClock();
    await expect.poll(async () => (await upload(large)).status).toBe(201);
    expect((await download(file.id)).body.toString()).toBe("hello");
    await expect.poll(async () => (await api.send("GET", "/health")).body.status).toBe("ok");
    expect(sinceBack()).toBeLessThan(5000);
  },
);

test("keeps half of its threads for all else while blobs hang that are read, and reads them when they answer", async () => {
  const before = new Set(filesIn());
  const stored: { id: string }[] = [];
  for (const text of ["one", "two", "three", "four", "five"])
    stored.push((await upload(Buffer.from(text))).body.file);
  const paths = filesIn().filter((path) => !before.has(path));
  // Opening a pipe blocks until something is written into it.
  for (const path of paths) {
    await rename(path, `${path}.kept`);
    expect(spawnSync("mkfifo", [path]).status).toBe(0);
  }
  await expectUnavailable(stored.flatMap(({ id }) => times(5, () => download(id))));
  await expectThreads();
  await expectUnavailable([upload(Buffer.from("small"))]);
  expect((await api.send("GET", "/v1/files", { key })).status).toBe(200);
  // Releases the waiting calls, and restores the files.
  for (const path of paths) {
    const pipe = await open(path, "r+");
    await rename(`${path}.kept`, path);
    await pipe.close();
  }
  const sinceBack = startClock();
  await expect.poll(async () => (await download(stored[0]?.id ?? "")).status).toBe(200);
  const texts = await Promise.all(stored.map(async ({ id }) => (await download(id)).body.toString()));
  expect(texts).toEqual(["one", "two", "three", "four", "five"]);
  expect((await upload(large)).status).toBe(201);
  expect(sinceBack()).toBeLessThan(5000);
});
