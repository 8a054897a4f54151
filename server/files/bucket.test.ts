import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startClock } from "#server/testing/cpu.ts";
import { startS3 } from "#server/testing/s3.ts";

const s3 = await startS3();
const api = await startApi({ settings: { blobs: s3.settings } });
const { key } = await api.createRootKey();
const large = Buffer.alloc(20_000_000, "0123456789abcdef");

const upload = (bytes: Uint8Array) =>
  api.send("POST", "/v1/files", { key, bytes, headers: { "x-file-name": "large.bin" } });
const download = (id: string, headers = {}) =>
  api.send("GET", `/v1/files/${id}`, { key, headers: { accept: "application/octet-stream", ...headers } });

test("files live in a bucket, in parts that are put together", async () => {
  const { file } = (await upload(large)).body;
  expect([file.sizeBytes, [...s3.objects.values()].map(({ length }) => length)]).toEqual([
    20_000_000,
    [20_000_000],
  ]);
  expect((await download(file.id)).body.equals(large)).toBe(true);
  const part = await download(file.id, { range: "bytes=9000001-9000004" });
  expect([part.status, part.body.toString()]).toEqual([206, "1234"]);
  await api.send("DELETE", `/v1/files/${file.id}`, { key });
  expect(s3.objects.size).toBe(0);
});

test("files answer 503 while the bucket is out of reach or fails, and work when it is back", async () => {
  const { file } = (await upload(Buffer.from("hello"))).body;
  const expectDown = async () => {
    const refused = await Promise.all([upload(large), upload(Buffer.from("small")), download(file.id)]);
    for (const { status, body } of refused) {
      expect(status).toBe(503);
      expect(body.error).toMatchObject({
        code: "service_unavailable",
        message: "The platform's blob store (BLOBS_URL) is not available.",
      });
    }
    await expect
      .poll(async () => (await api.send("GET", "/health")).body)
      .toMatchObject({
        status: "degraded",
        checks: [{}, { ok: false }],
      });
  };
  s3.state.failing = true;
  await expectDown();
  s3.state.failing = false;
  await s3.stop();
  await expectDown();
  await s3.start();
  expect((await download(file.id)).body.toString()).toBe("hello");
  await expect.poll(async () => (await api.send("GET", "/health")).body.status).toBe("ok");
});

test("answers within five seconds while the bucket is silent, serves calls without bytes as usual, and all when it is back", async () => {
  const { file } = (await upload(Buffer.from("hello"))).body;
  const { file: second } = (await upload(Buffer.from("second"))).body;
  const callAtOnce = async () => {
    const clock = startClock();
    const answers = await Promise.all([
      upload(large),
      ...Array.from({ length: 25 }, () => upload(Buffer.from("small"))),
      ...Array.from({ length: 25 }, () => download(second.id)),
    ]);
    return { answers, tookMs: clock() };
  };
  const usual = await callAtOnce();
  s3.state.silent = true;
  for (const deleted of [file, second]) {
    const { answers: refused, tookMs } = await callAtOnce();
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.error.message}`))).toEqual(
      new Set(["503 The platform's blob store (BLOBS_URL) is not available."]),
    );
    // Five seconds for each, plus the time that this machine needs for so many.
    expect(tookMs).toBeLessThan(5000 + usual.tookMs);
    expect((await api.send("GET", "/v1/files", { key })).status).toBe(200);
    await expect
      .poll(async () => (await api.send("GET", "/health")).body)
      .toMatchObject({
        status: "degraded",
        checks: [{}, { name: "blobs", ok: false, message: expect.stringContaining("(BLOBS_URL)") }],
      });
    const deletion = startClock();
    expect((await api.send("DELETE", `/v1/files/${deleted.id}`, { key })).status).toBe(200);
    expect(deletion()).toBeLessThan(5000);
  }
  s3.state.silent = false;
  const { file: after } = (await upload(large)).body;
  expect((await download(after.id)).body.equals(large)).toBe(true);
  await expect.poll(async () => (await api.send("GET", "/health")).body.status).toBe("ok");
});

test("breaks a download off where the bucket falls silent in the middle of it", async () => {
  const { file } = (await upload(large)).body;
  s3.state.stalling = true;
  const clock = startClock();
  await expect(download(file.id)).rejects.toThrow();
  expect(clock()).toBeLessThan(5000);
  s3.state.stalling = false;
  expect((await download(file.id)).body.equals(large)).toBe(true);
});
