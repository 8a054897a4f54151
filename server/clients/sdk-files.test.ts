import { createHash, randomBytes } from "node:crypto";
import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { keysOf } from "#server/base/keys-of.ts";
import { startApi } from "#server/testing/api.ts";
import { startSpoiledProxy } from "#server/testing/spoiled-proxy.ts";
import {
  ConnectionError,
  InvalidRequestError,
  Platform,
  PlatformError,
} from "../../clients/typescript/src/index.ts";

const api = await startApi();
const { key } = await api.createRootKey();
const proxy = await startSpoiledProxy(api.origin);
const platform = new Platform({ apiKey: key, baseUrl: api.origin });
const spoiled = new Platform({ apiKey: key, baseUrl: proxy.origin });
const folder = mkdtempSync(join(tmpdir(), "sdk-files-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bytes = randomBytes(300_000);
const sha256 = createHash("sha256").update(bytes).digest("hex");
const path = join(folder, "source.bin");
writeFileSync(path, bytes);

const SOURCES = {
  path: () => path,
  bytes: () => bytes,
  Blob: () => new Blob([bytes]),
  stream: () => new Blob([bytes]).stream(),
  "stream of Node": () => createReadStream(path),
};

test.for(keysOf(SOURCES))("uploads a %s", async (kind) => {
  const input = {
    name: `Größe ${kind}.bin`,
    contentType: "application/x-test",
    purpose: "Prüfung",
    size: bytes.length,
  };
  const file = await platform.files.create(SOURCES[kind](), input);
  expect(file).toMatchObject({
    name: input.name,
    mediaType: input.contentType,
    purpose: input.purpose,
    sizeBytes: bytes.length,
    sha256,
  });
  expect(Buffer.from(await platform.files.download(file.id).bytes()).equals(bytes)).toBe(true);
});

test("refuses a stream of unknown length, and a wrong checksum", async () => {
  await expect(platform.files.create(SOURCES.stream(), { name: "a.bin" })).rejects.toThrow("size");
  const wrong = platform.files.create(bytes, { name: "a.bin", sha256: "0".repeat(64) });
  await expect(wrong).rejects.toThrow(InvalidRequestError);
});

test("uploads once where the connection breaks, and a stream not again", async () => {
  proxy.spoil("reset after");
  await spoiled.files.create(path, { name: "once.bin" });
  expect((await platform.files.list({ name: "once.bin" })).items).toHaveLength(1);
  proxy.spoil("reset before");
  const stream = spoiled.files.create(SOURCES.stream(), { name: "stream.bin", size: bytes.length });
  await expect(stream).rejects.toThrow(ConnectionError);
  expect(proxy.seen).toHaveLength(1);
});

test("resumes a broken download", async () => {
  const file = await platform.files.create(path, { name: "resumed.bin" });
  const target = join(folder, "resumed.bin");
  proxy.spoil("cut", "cut", "cut");
  expect(await spoiled.files.download(file.id).toFile(target)).toEqual({ size: bytes.length, sha256 });
  expect(readFileSync(target).equals(bytes)).toBe(true);
  const ranges = proxy.seen.map(({ headers }) => headers.range);
  expect(ranges[0]).toBeUndefined();
  expect(ranges.slice(1).every((range) => /^bytes=[1-9]\d*-$/.test(String(range)))).toBe(true);
});

test("leaves no file where a download fails", async () => {
  const before = readdirSync(folder).length;
  const missing = platform.files.download("file_01jz4w1n9vf5ha3kqcx8y2r7te").toFile(join(folder, "missing"));
  await expect(missing).rejects.toThrow(PlatformError);
  expect(readdirSync(folder)).toHaveLength(before);
});

test("reads a download as text and as a stream", async () => {
  const file = await platform.files.create(Buffer.from("hello"), {
    name: "hello.txt",
    contentType: "text/plain",
  });
  expect(await platform.files.download(file.id).text()).toBe("hello");
  expect(await new Response(platform.files.download(file.id).stream()).text()).toBe("hello");
});
