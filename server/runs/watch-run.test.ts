import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { stopClock } from "#server/testing/clock.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createEffects, endWait, play, runWith, startRuns } from "#server/testing/runs.ts";
import { scriptedService } from "#server/testing/scripted-runs.ts";
import { openStream } from "#server/testing/streams.ts";

const api = await startApi({
  settings: { services: [scriptedService()], streams: { heartbeatMs: 200, perAccount: 3 } },
});
await createEffects(api);
const worker = await startRuns(api);
afterAll(() => worker.stop());

const pause = { do: "wait", name: "pause", seconds: 3600 };
const log = (message: string) => ({ do: "log", message });
const read = async (key: string, runId: string) =>
  (await api.send("GET", `/v1/runs/${runId}`, { key })).body.run;
const here = (address: string) => address.replace("http://platform.test", api.origin);
const watch = async (key: string, runId: string, options: Parameters<typeof openStream>[1] = {}) =>
  openStream(here((await read(key, runId)).watchUrl), options);

test("shows a run's progress to any web page, but not its input, data or result", async () => {
  const { key } = await createPayingKey(api, 100);
  const runId = await play(api, key, [log("begun"), pause, { do: "progress", fraction: 0.5 }]);
  const stream = await watch(key, runId, { headers: { origin: "https://shop.example" } });
  expect(stream.status).toBe(200);
  expect(stream.headers.get("access-control-allow-origin")).toBe("*");
  const first = await stream.next();
  await endWait(api, runId, "pause");
  const events = [first, ...(await stream.take())];
  const run = await runWith(api, key, runId, "succeeded");
  expect(events.slice(0, -1).map((event) => [event?.id, event?.data.message])).toEqual(
    run.timeline.map(({ seq, message }: { seq: number; message: string }) => [String(seq), message]),
  );
  const names = new Set(events.slice(0, -1).flatMap((event) => Object.keys(event?.data)));
  expect([...names].sort()).toEqual(["at", "level", "message", "progress", "seq", "status"]);
  expect(events.map((event) => event?.data.progress)).toContain(0.5);
  expect(events.at(-1)).toMatchObject({
    event: "run",
    data: { run: { id: runId, status: "succeeded", progress: 1, finishedAt: expect.any(String) } },
  });
  expect(Object.keys(events.at(-1)?.data.run)).toHaveLength(4);
});

test("continues by Last-Event-ID, and reports the end", async () => {
  const { key } = await createPayingKey(api, 100);
  const runId = await play(api, key, [log("one")]);
  const { timeline } = await runWith(api, key, runId, "succeeded");
  const rest = await (await watch(key, runId, { lastEventId: "2" })).take();
  expect(rest.map(({ id }) => Number(id))).toEqual(
    Array.from({ length: timeline.length - 1 }, (_, nth) => nth + 3),
  );
  expect((await watch(key, runId, { lastEventId: String(timeline.length + 1) })).status).toBe(204);
});

test("ends with the key that made the address, and with its time", async () => {
  const { key } = await createPayingKey(api, 100);
  const child = await api.createChild(key);
  const runId = await play(api, key, [pause]);
  const { watchUrl, watchUrlExpiresAt } = await read(child.key, runId);
  const later = (await read(key, runId)).watchUrl;
  const stream = await openStream(here(watchUrl));
  expect(stream.status).toBe(200);
  await api.send("DELETE", `/v1/api-keys/${child.apiKey.id}`, { key });
  expect((await stream.take()).at(-1)).toMatchObject({
    event: "error",
    data: { error: { code: "not_found" } },
  });
  expect((await openStream(here(watchUrl))).status).toBe(404);
  const open = await openStream(here(later));
  expect(open.status).toBe(200);
  stopClock(Date.parse(watchUrlExpiresAt) + 60_000);
  expect((await open.take()).at(-1)).toMatchObject({
    event: "error",
    data: { error: { code: "not_found" } },
  });
  expect((await openStream(here(later))).status).toBe(404);
});

test("opens nothing to an address that was changed, and shows no run of the strict tier", async () => {
  const { key } = await createPayingKey(api, 100);
  const runId = await play(api, key, [pause]);
  const { watchUrl } = await read(key, runId);
  const [payload, signature] = watchUrl.split("/").at(-1).split(".");
  const [, , keyId, expires] = JSON.parse(Buffer.from(payload, "base64url").toString());
  const forged = Buffer.from(JSON.stringify(["acct_x", runId, keyId, expires])).toString("base64url");
  for (const token of [
    payload,
    `${payload}.`,
    `${forged}.${signature}`,
    `${payload}.${signature}.x`,
    "x",
    "%00",
  ])
    expect((await openStream(`${api.origin}/watch/${token}`)).status).toBe(404);
  const download = `${api.origin}/downloads/${payload}.${signature}`;
  expect((await openStream(download)).status).toBe(404);
  const strict = await api.createChild(key, { privacyTier: "strict" });
  const own = await play(api, strict.key, [pause]);
  expect(await read(strict.key, own)).toMatchObject({ watchUrl: null, watchUrlExpiresAt: null });
});

test("viewers of a shared address do not count among the account's own streams", async () => {
  const { key } = await createPayingKey(api, 100);
  const runId = await play(api, key, [pause]);
  const all = await Promise.all(Array.from({ length: 4 }, () => watch(key, runId)));
  expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429]);
  const own = await openStream(`${api.origin}/v1/runs/${runId}/events`, { key });
  expect(own.status).toBe(200);
});

test("is returned only to the run's reader", async () => {
  const { key } = await createPayingKey(api, 100);
  const runId = await play(api, key, []);
  await runWith(api, key, runId, "succeeded");
  const { runs } = (await api.send("GET", "/v1/runs", { key })).body;
  expect(runs).toMatchObject([{ id: runId, watchUrl: null }]);
  const events = await (await openStream(`${api.origin}/v1/runs/${runId}/events`, { key })).take();
  expect(events.at(-1)?.data.run.watchUrl).toBeNull();
});
