import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startPeer } from "#server/testing/peer.ts";
import { createEffects, createRun, endWait, play, runWith, startRuns } from "#server/testing/runs.ts";
import { scriptedService } from "#server/testing/scripted-runs.ts";

const api = await startApi({ settings: { services: [scriptedService()] } });
await createEffects(api);
const worker = await startRuns(api, { slots: 8, perAccount: 8 });
afterAll(() => worker.stop());

const hang = [{ do: "hang", name: "stuck" }];
const wait = [{ do: "wait", name: "pause", seconds: 3600 }, ...hang];
const crm = (limit: number, hold = "running") => [{ key: "crm", limit, hold }];
const cancel = (key: string, id: string) => api.send("POST", `/v1/runs/${id}/cancel`, { key, body: {} });
const readRun = async (key: string, id: string) =>
  (await api.send("GET", `/v1/runs/${id}`, { key })).body.run;

/** Waits until a run is at a step, which it does not leave by itself. */
async function isAt(key: string, id: string, step: string): Promise<void> {
  await expect.poll(async () => (await readRun(key, id)).timeline.at(-1).step, { interval: 10 }).toBe(step);
}

/** Waits until a run waits for a slot of this key. */
async function waitsFor(key: string, id: string, concurrencyKey: string): Promise<void> {
  await expect
    .poll(async () => (await readRun(key, id)).waitingFor, { interval: 10 })
    .toEqual({ concurrencyKey });
}

test("starts a run of a full concurrency key once another has ended, and names the key that it waits for", async () => {
  const { key } = await createPayingKey(api, 1000);
  const first = await play(api, key, hang, { concurrency: crm(1) });
  await isAt(key, first, "stuck");
  const { body } = await createRun(api, key, {
    serviceId: "managed-memory",
    operationId: "put",
    input: { content: "Of another service." },
    concurrency: [{ key: " crm ", limit: 1 }],
  });
  expect(body.run).toMatchObject({
    status: "queued",
    concurrency: crm(1),
    waitingFor: { concurrencyKey: "crm" },
  });
  const listed = await api.send("GET", "/v1/runs?status=queued", { key });
  expect(listed.body.runs[0].waitingFor).toEqual({ concurrencyKey: "crm" });
  const free = await play(api, key, hang, { concurrency: [{ key: "mail", limit: 1 }] });
  await isAt(key, free, "stuck");
  expect((await readRun(key, body.run.id)).status).toBe("queued");
  await cancel(key, first);
  expect((await runWith(api, key, body.run.id, "succeeded")).waitingFor).toBeNull();
  await cancel(key, free);
});

test("frees a run's slot while it waits if it holds it only while running, and then needs one to continue", async () => {
  const { key } = await createPayingKey(api, 1000);
  const first = await play(api, key, wait, { concurrency: crm(1) });
  await isAt(key, first, "pause");
  const second = await play(api, key, hang, { concurrency: crm(1) });
  await isAt(key, second, "stuck");
  await endWait(api, first, "pause");
  await waitsFor(key, first, "crm");
  expect((await readRun(key, first)).status).toBe("running");
  await cancel(key, second);
  await isAt(key, first, "stuck");
  await cancel(key, first);
});

test("keeps a live run's slot while it waits", async () => {
  const { key } = await createPayingKey(api, 1000);
  const first = await play(api, key, wait, { concurrency: crm(1, "live") });
  await isAt(key, first, "pause");
  const second = await play(api, key, hang, { concurrency: crm(1, "live") });
  await waitsFor(key, second, "crm");
  await endWait(api, first, "pause");
  await isAt(key, first, "stuck");
  expect((await readRun(key, second)).status).toBe("queued");
  await cancel(key, first);
  await isAt(key, second, "stuck");
  await cancel(key, second);
});

test("starts a run when all of its keys have room, and holds none of them before", async () => {
  const { key } = await createPayingKey(api, 1000);
  const user = (name: string) => ({ key: `user ${name}`, limit: 1 });
  const api1 = { key: "api", limit: 2 };
  const ada = await play(api, key, hang, { concurrency: [api1, user("ada")] });
  await isAt(key, ada, "stuck");
  const again = await play(api, key, hang, { concurrency: [api1, user("ada")] });
  await waitsFor(key, again, "user ada");
  const bob = await play(api, key, hang, { concurrency: [api1, user("bob")] });
  await isAt(key, bob, "stuck");
  await cancel(key, ada);
  await isAt(key, again, "stuck");
  await Promise.all([again, bob].map((id) => cancel(key, id)));
});

test("has as many slots as the newest run says", async () => {
  const { key } = await createPayingKey(api, 1000);
  const first = await play(api, key, hang, { concurrency: crm(1) });
  await isAt(key, first, "stuck");
  const second = await play(api, key, hang, { concurrency: crm(1) });
  await waitsFor(key, second, "crm");
  const third = await play(api, key, hang, { concurrency: crm(3) });
  await isAt(key, third, "stuck");
  await isAt(key, second, "stuck");
  const fourth = await play(api, key, hang, { concurrency: crm(2) });
  await waitsFor(key, fourth, "crm");
  await cancel(key, first);
  await waitsFor(key, fourth, "crm");
  await cancel(key, second);
  await isAt(key, fourth, "stuck");
  await Promise.all([third, fourth].map((id) => cancel(key, id)));
});

test("shares a concurrency key only within account, project and end user", async () => {
  const { key } = await createPayingKey(api, 1000);
  const stranger = await createPayingKey(api, 1000);
  const { body } = await api.send("POST", "/v1/projects", { key, body: { name: "Shop", slug: "shop" } });
  const script = { serviceId: "scripted", operationId: "play", input: { actions: hang } };
  const places: { by: string; headers: Record<string, string> }[] = [
    { by: key, headers: {} },
    { by: key, headers: { "X-Service-Project": body.project.id } },
    { by: key, headers: { "X-Service-End-User": "ada" } },
    { by: stranger.key, headers: {} },
  ];
  for (const { by, headers } of places) {
    const created = await createRun(api, by, { ...script, concurrency: crm(1) }, headers);
    await isAt(by, created.body.run.id, "stuck");
    await cancel(by, created.body.run.id);
  }
});

test("calls those that wait by priority", async () => {
  const { key } = await createPayingKey(api, 1000);
  const first = await play(api, key, hang, { concurrency: crm(1) });
  await isAt(key, first, "stuck");
  const queued = [];
  for (const priority of [-10, 0, 10])
    queued.push(await play(api, key, [], { concurrency: crm(1), priority }));
  await cancel(key, first);
  const ended = await Promise.all(queued.map((id) => runWith(api, key, id, "succeeded")));
  const order = ended.toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
  expect(order.map(({ priority }) => priority)).toEqual([10, 0, -10]);
});

test("frees the slot of a run that fails, and between its attempts", async () => {
  const { key } = await createPayingKey(api, 1000);
  const queued = Promise.withResolvers<void>();
  const peer = await startPeer(() => queued.promise.then(() => ({})));
  const failing = [
    { do: "send", name: "hold", url: peer.origin, repeatable: true },
    { do: "fail", name: "try", times: 1 },
  ];
  const first = await play(api, key, failing, { concurrency: crm(1), maxAttempts: 2 });
  await expect.poll(() => peer.received.length).toBe(1);
  const second = await play(api, key, [], { concurrency: crm(1) });
  await waitsFor(key, second, "crm");
  queued.resolve();
  const between = await runWith(api, key, second, "succeeded");
  const ended = await runWith(api, key, first, "succeeded");
  expect(ended.timeline.map(({ type }: { type: string }) => type)).toContain("retry");
  expect(Date.parse(between.finishedAt)).toBeLessThan(Date.parse(ended.finishedAt));
});

test("gives a run that starts later its slot when it starts", async () => {
  const { key } = await createPayingKey(api, 1000);
  const startAt = new Date(Date.now() + 10_000).toISOString();
  const later = await play(api, key, hang, { concurrency: crm(1), startAt });
  const now = await play(api, key, hang, { concurrency: crm(1) });
  await isAt(key, now, "stuck");
  expect((await readRun(key, later)).waitingFor).toBeNull();
  await waitsFor(key, later, "crm");
  await cancel(key, now);
  await isAt(key, later, "stuck");
  await cancel(key, later);
  await runWith(api, key, later, "cancelled");
});

test("refuses more than three keys, a key twice, and limits out of bounds", async () => {
  const { key } = await createPayingKey(api, 100);
  const script = { serviceId: "scripted", operationId: "play", input: { actions: [] } };
  const four = ["a", "b", "c", "d"].map((name) => ({ key: name, limit: 1 }));
  const bad = [four, [...crm(1), ...crm(2)], crm(0), crm(1001), crm(1, "always"), [{ key: " ", limit: 1 }]];
  for (const concurrency of bad) {
    const { status, body } = await createRun(api, key, { ...script, concurrency });
    expect(status).toBe(400);
    expect(body.error.issues[0].path).toMatch(/^body\.concurrency/);
  }
});
