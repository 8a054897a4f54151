import { afterAll, expect, test } from "vitest";
import { ALL_SCOPES, startApi } from "#server/testing/api.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createEffects, endWait, play, runWith, startRuns } from "#server/testing/runs.ts";
import { scriptedService } from "#server/testing/scripted-runs.ts";
import { openStream, type Streamed } from "#server/testing/streams.ts";

const api = await startApi({
  settings: { services: [scriptedService()], streams: { heartbeatMs: 200, perAccount: 5 } },
});
await createEffects(api);
const worker = await startRuns(api);
afterAll(() => worker.stop());

const follow = (runId: string, options: Parameters<typeof openStream>[1]) =>
  openStream(`${api.origin}/v1/runs/${runId}/events`, options);
const log = (message: string) => ({ do: "log", message });
const pause = { do: "wait", name: "pause", seconds: 3600 };
const ids = (events: readonly Streamed[]) => events.map(({ id }) => Number(id));

test("sends the whole timeline as it comes, then the run as it is read, and ends", async () => {
  const { key } = await createPayingKey(api, 100);
  const runId = await play(api, key, [log("one"), pause, log("two")]);
  const stream = await follow(runId, { key });
  expect(stream.status).toBe(200);
  expect(Object.fromEntries(stream.headers)).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
    "x-request-id": expect.stringMatching(/^req_/),
  });
  expect(await stream.nextBlock()).toBe("retry: 2000");
  const before: Streamed[] = [];
  while (before.at(-1)?.data.message !== "one") before.push(...(await stream.take(1)));
  await endWait(api, runId, "pause");
  const events = [...before, ...(await stream.take())];
  const { run } = (await api.send("GET", `/v1/runs/${runId}`, { key })).body;
  expect(run.status).toBe("succeeded");
  expect(events.slice(0, -1).map(({ event, data }) => ({ event, data }))).toEqual(
    run.timeline.map((data: unknown) => ({ event: "timeline", data })),
  );
  const own = { ...run, waitsFor: null, watchUrl: null, watchUrlExpiresAt: null };
  expect(events.at(-1)).toMatchObject({ event: "run", data: { run: own } });
  expect(ids(events)).toEqual(events.map((_, nth) => nth + 1));
});

test("continues after the client's last event, wherever it broke off, and reports the end", async () => {
  const { key } = await createPayingKey(api, 100);
  const runId = await play(api, key, [log("one"), log("two")]);
  const { timeline } = await runWith(api, key, runId, "succeeded");
  const last = timeline.length + 1;
  for (let seen = 0; seen < last; seen++) {
    const events = await (await follow(runId, { key, lastEventId: String(seen) })).take();
    expect(ids(events)).toEqual(Array.from({ length: last - seen }, (_, nth) => seen + nth + 1));
  }
  const nothing = await follow(runId, { key, lastEventId: String(last) });
  expect([nothing.status, await nothing.next()]).toEqual([204, null]);
});

test.each([
  "-1",
  "1.2.3",
  "0x1",
  "12a",
  "1e3",
  " ",
  "whe_01jz4w1n9vf5ha3kqcx8y2r7te",
  "9".repeat(400),
  "7",
  "1, 2",
])("refuses a Last-Event-ID that the run has not given: %j", async (lastEventId) => {
  const { key } = await createPayingKey(api, 100);
  const runId = await play(api, key, []);
  await runWith(api, key, runId, "succeeded");
  const stream = await follow(runId, { key, lastEventId });
  if (lastEventId.trim() === "") return expect(stream.status).toBe(200);
  expect(stream.status).toBe(400);
  expect((await stream.refusal()).error).toMatchObject({
    code: "invalid_request",
    issues: [{ path: "header.last-event-id" }],
  });
});

test("answers a run of another account, and of another project or end user, as a missing one", async () => {
  const { key } = await createPayingKey(api, 100);
  const stranger = await createPayingKey(api, 100);
  const runId = await play(api, key, [pause]);
  const child = await api.createChild(key, { endUser: "customer-81" });
  const missing = "run_01jz4w1n9vf5ha3kqcx8y2r7te";
  for (const other of [stranger.key, child.key]) {
    const [one, two] = [await follow(runId, { key: other }), await follow(missing, { key: other })];
    const [a, b] = [await one.refusal(), await two.refusal()];
    expect([one.status, a.error.code]).toEqual([404, "not_found"]);
    expect(a.error.message.replace(runId, missing)).toBe(b.error.message);
  }
  const narrow = await api.createChild(key, { allowedServices: ["managed-memory"], scopes: ALL_SCOPES });
  const below = await api.createChild(narrow.key, {});
  const refused = await follow(runId, { key: below.key });
  expect(refused.status).toBe(403);
  expect((await refused.refusal()).error).toMatchObject({
    code: "service_not_allowed",
    keyId: narrow.apiKey.id,
  });
});

test("says that it is there while nothing happens", async () => {
  const { key } = await createPayingKey(api, 100);
  const stream = await follow(await play(api, key, [pause]), { key });
  let block = await stream.nextBlock();
  while (!block?.startsWith(":")) block = await stream.nextBlock();
  expect(block).toBe(": still here");
});

test("ends when its key is revoked, or one above it, with the refusal as its last event", async () => {
  const { key } = await createPayingKey(api, 100);
  const middle = await api.createChild(key, { scopes: ALL_SCOPES });
  const child = await api.createChild(middle.key, { scopes: ["runs:read"] });
  const runId = await play(api, key, [pause]);
  const streams = [await follow(runId, { key: middle.key }), await follow(runId, { key: child.key })];
  const others = await follow(runId, { key });
  await api.send("DELETE", `/v1/api-keys/${middle.apiKey.id}`, { key });
  const [own, above] = await Promise.all(streams.map((stream) => stream.take()));
  expect(own?.at(-1)).toMatchObject({
    event: "error",
    data: { ok: false, error: { code: "api_key_revoked" } },
  });
  expect(above?.at(-1)).toMatchObject({ event: "error", data: { error: { code: "ancestor_revoked" } } });
  await endWait(api, runId, "pause");
  expect((await others.take()).at(-1)?.event).toBe("run");
});

test("ends when its key expires", async () => {
  const { key } = await createPayingKey(api, 100);
  const runId = await play(api, key, [pause]);
  const expiresAt = new Date(Date.now() + 8000).toISOString();
  const child = await api.createChild(key, { scopes: ["runs:read"], expiresAt });
  const stream = await follow(runId, { key: child.key });
  expect((await stream.take()).at(-1)).toMatchObject({
    event: "error",
    data: { error: { code: "api_key_expired" } },
  });
});

test("refuses streams beyond the account's, until one is left, and lets other accounts in", async () => {
  const { key } = await createPayingKey(api, 100);
  const runId = await play(api, key, [pause]);
  const streams = await Promise.all(Array.from({ length: 5 }, () => follow(runId, { key })));
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const refused = await follow(runId, { key });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
  expect((await refused.refusal()).error).toMatchObject({ code: "limit_exhausted", retryable: true });
  const other = await createPayingKey(api, 100);
  expect((await follow(await play(api, other.key, [pause]), { key: other.key })).status).toBe(200);
  streams[0]?.leave();
  await expect.poll(async () => (await follow(runId, { key })).status).toBe(200);
});

test("holds its place under the key's maxConcurrent until it ends, and is recorded once", async () => {
  const { key } = await createPayingKey(api, 100);
  const limits = { "runs.read": { maxConcurrent: 1 } };
  const child = await api.createChild(key, { limits });
  const runId = await play(api, key, [pause]);
  const stream = await follow(runId, { key: child.key });
  const read = () => api.send("GET", `/v1/runs/${runId}`, { key: child.key });
  expect((await read()).body.error).toMatchObject({
    code: "limit_exhausted",
    limit: { kind: "maxConcurrent" },
  });
  stream.leave();
  await expect.poll(async () => (await read()).status).toBe(200);
  const { auditEvents } = (
    await api.send("GET", `/v1/audit-events?requestId=${stream.headers.get("x-request-id")}`, { key })
  ).body;
  expect(auditEvents).toEqual([
    expect.objectContaining({ operation: "runs.read", resource: runId, outcome: "allowed", status: 200 }),
  ]);
});

test("answers HEAD without opening a stream", async () => {
  const { key } = await createPayingKey(api, 100);
  const runId = await play(api, key, [pause]);
  for (let nth = 0; nth < 7; nth++) {
    const { status, headers } = await api.send("HEAD", `/v1/runs/${runId}/events`, { key });
    expect([status, headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  }
});

test("gives back the place of every client that opens a stream and leaves at once", async () => {
  const { key } = await createPayingKey(api, 100);
  const child = await api.createChild(key, { limits: { "runs.read": { maxConcurrent: 5 } } });
  const runId = await play(api, key, [pause]);
  await expect.poll(() => api.platform.streams.open).toBe(0);
  const leaving = Array.from({ length: 200 }, async (_, nth) => {
    const left = AbortSignal.timeout(nth % 40);
    const headers = { authorization: `Bearer ${child.key}` };
    const answer = await fetch(`${api.origin}/v1/runs/${runId}/events`, { headers, signal: left });
    await answer.text();
  });
  await Promise.allSettled(leaving);
  await expect.poll(() => api.platform.streams.open).toBe(0);
  await expect
    .poll(async () => {
      const streams = await Promise.all(Array.from({ length: 5 }, () => follow(runId, { key: child.key })));
      for (const stream of streams) stream.leave();
      return streams.map(({ status }) => status);
    })
    .toEqual([200, 200, 200, 200, 200]);
});

test("lets a person's browser follow a run by their session, until they are no member any more", async () => {
  const { key, accountId } = await createPayingKey(api, 100);
  const runId = await play(api, key, [log("one"), pause]);
  const path = `/api/bytes/runs/${runId}/events`;
  const owner = await signInMember(api, accountId, "owner");
  const viewer = await signInMember(api, accountId, "viewer");
  const stream = await openStream(api.origin + path, { headers: { cookie: viewer.cookie } });
  expect((await stream.take(1))[0]).toMatchObject({ id: "1", event: "timeline" });
  const stranger = await signUpAndIn(api);
  const foreign = { cookie: viewer.cookie, "sec-fetch-site": "cross-site" };
  for (const [headers, status] of [
    [{ cookie: stranger.cookie }, 404],
    [foreign, 403],
    [{}, 401],
  ] as const)
    expect((await api.send("GET", path, { headers })).status).toBe(status);
  expect((await owner.mutate("members.delete", { memberId: viewer.memberId })).status).toBe(200);
  const rest = await stream.take();
  expect(rest.map(({ event }) => event)).not.toContain("run");
});
