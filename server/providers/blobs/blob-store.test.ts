import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { newUuid } from "#server/base/ids.ts";
import { startS3 } from "#server/testing/s3.ts";
import { openBlobStore } from "./open-blob-store.ts";
import { PART_BYTES } from "./parts.ts";

const folder = mkdtempSync(join(tmpdir(), "test-blobs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const s3 = await startS3();
const disk = openBlobStore({ folder });
const bucket = openBlobStore(s3.settings);

async function* pieces(bytes: Uint8Array, size: number) {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function* brokenOff(bytes: Uint8Array, size: number) {
  yield* pieces(bytes, size);
  throw new Error("The client left.");
}

const large = Buffer.alloc(PART_BYTES * 2 + 12_345, "abcdefghijk");
const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

describe.for([
  ["a folder", disk, () => filesIn(folder).length],
  ["a bucket", bucket, () => s3.objects.size + s3.uploads.size],
] as const)("%s", ([, store, count]) => {
  test.for([
    ["nothing", Buffer.alloc(0)],
    ["a text", Buffer.from("hello")],
    ["one part exactly", large.subarray(0, PART_BYTES)],
    ["several parts", large],
  ] as const)("gives back %s as it was put", async ([, bytes]) => {
    const key = newUuid();
    const stored = await store.put(key, pieces(bytes, 100_000));
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    expect(stored).toEqual({ key, sizeBytes: bytes.length, sha256 });
    expect((await buffer(await store.read(key))).equals(bytes)).toBe(true);
    await store.delete(key);
  });

  test("reads a range, both ends within it", async () => {
    const key = newUuid();
    await store.put(key, pieces(large, 65_536));
    const part = await buffer(await store.read(key, { start: 300_001, end: 900_000 }));
    expect(part.equals(large.subarray(300_001, 900_001))).toBe(true);
    await store.delete(key);
  });

  test.for([12, PART_BYTES + 5])("leaves nothing of content that breaks off after %i bytes", async (size) => {
    const before = count();
    const put = store.put(newUuid(), brokenOff(large.subarray(0, size), 65_536));
    await expect(put).rejects.toThrow("The client left.");
    expect(count()).toBe(before);
  });

  test("deletes a blob, and one that is not there", async () => {
    const key = newUuid();
    await store.put(key, pieces(Buffer.from("hello"), 2));
    await store.delete(key);
    await store.delete(key);
    expect(count()).toBe(0);
    await expect(store.read(key)).rejects.toThrow("is not available");
  });
});

test("a bucket is cleared of an upload whose process died", async () => {
  const key = newUuid();
  s3.uploads.set("left-behind", { key: `some/prefix/${key}`, parts: new Map() });
  await bucket.delete(key);
  expect([...s3.uploads.keys()]).toEqual([]);
});

test("a bucket that refuses the credentials is not available, and the message names the setting", async () => {
  const store = openBlobStore({ ...s3.settings, secretAccessKey: "wrong" });
  await expect(store.check()).rejects.toThrow("The platform's blob store (BLOBS_URL) is not available.");
});

test("a bucket is well again when it returns", async () => {
  await s3.stop();
  await expect(bucket.put(newUuid(), pieces(large, 65_536))).rejects.toThrow("(BLOBS_URL) is not available");
  await s3.start();
  await bucket.check();
});

test("a folder that went away is not made again, and is well when it returns", async () => {
  await disk.check();
  renameSync(folder, `${folder}-away`);
  await expect(disk.put(newUuid(), pieces(large, 65_536))).rejects.toThrow(
    "(the folder blobs in DATA_DIR) is not available",
  );
  await expect(disk.check()).rejects.toThrow("(the folder blobs in DATA_DIR) is not available");
  renameSync(`${folder}-away`, folder);
  await disk.check();
});

test("a folder has no file of another name than a key that the platform makes", async () => {
  await expect(disk.put("../../outside", pieces(large, 65_536))).rejects.toThrow("Not a key of this store.");
});
