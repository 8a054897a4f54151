import { afterAll, expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { deliver, putInbound } from "#server/testing/inbound.ts";
import { storeWorkflow } from "#server/testing/stored-workflows.ts";
import { remember, runsOf, setClock, startTriggers, triggersDo } from "#server/testing/triggers.ts";

const api = await startApi();
const worker = await startTriggers(api);
afterAll(() => worker.stop());

const get = async (key: string) => triggersDo(api, key, "get", { name: "inbound" });
const open = { scheme: "none" };

test("starts a run for each matching delivery, with the delivery in its input", async () => {
  const { key } = await createPayingKey(api, 100);
  await storeWorkflow(api, key, "follow", [{ id: "pause", type: "wait", seconds: 0 }]);
  const start = {
    serviceId: "managed-workflows",
    operationId: "start",
    input: { name: "follow", input: { of: "{% event.data.amount * 2 %}" } },
  };
  const where = [
    { path: "data.amount", op: "gte", value: 10 },
    { path: "headers.x-kind", op: "eq", value: "order" },
    { path: "name", op: "eq", value: "webhook" },
  ];
  const trigger = await putInbound(api, key, open, { start }, where);
  expect(trigger.on).toEqual({
    webhook: {
      scheme: "none",
      headerName: null,
      requestsPerMinute: 600,
      address: expect.stringMatching(/^http:\/\/platform\.test\/in\/[\w-]{43}$/),
      previousAddressUntil: null,
      secretFingerprint: null,
      rejectedDeliveries: 0,
    },
    where,
  });
  expect(trigger).toMatchObject({
    overlap: "allow",
    catchUpSeconds: 604_800,
    status: "active",
    nextAt: null,
  });
  const headers = {
    "x-kind": "order",
    authorization: "Bearer theirs",
    cookie: "a=b",
    "x-gitlab-token": "theirs",
  };
  const send = (body: object, more: object = {}) =>
    deliver(api, trigger.address, JSON.stringify(body), { ...headers, ...more });
  expect(await send({ amount: 9 })).toMatchObject({ status: 202, body: { ok: true } });
  expect(await send({ amount: 12 }, { "x-kind": "refund" })).toMatchObject({ status: 202 });
  expect(await send({ amount: 12 })).toMatchObject({ status: 202, body: { ok: true } });
  await expect.poll(() => runsOf(api, key, trigger.id)).toHaveLength(1);
  const [run] = await runsOf(api, key, trigger.id);
  const { event, of } = run.input.input;
  expect(of).toBe(24);
  expect(event).toMatchObject({ name: "webhook", data: { amount: 12 }, headers: { "x-kind": "order" } });
  expect(event.id).toMatch(/^sev_/);
  expect(Object.keys(event.headers)).not.toEqual(expect.arrayContaining(["authorization"]));
  expect(JSON.stringify(event)).not.toContain("theirs");
  const { ticks } = await get(key);
  expect(ticks).toMatchObject([{ kind: "event", state: "started", runId: run.id, eventId: event.id }]);
});

/** As many fields as 1 MB holds. */
const MANY = Array.from({ length: 150_000 }, (_, nth) => nth.toString(36)).join("&");

test.each([
  [
    "JSON",
    "application/json; charset=utf-8",
    '{"id": 12345678901234567890, "low": 0.5}',
    { id: "12345678901234567890", low: 0.5 },
  ],
  ["JSON of a vendor", "application/vnd.shop+json", "[1]", [1]],
  ["a form", "application/x-www-form-urlencoded", "a=1&b=x+y&b=z", { a: "1", b: ["x y", "z"] }],
  ["a form of more fields than an object has", "application/x-www-form-urlencoded", MANY, MANY],
  ["text", "text/plain", "Hello.", "Hello."],
  ["a body that is no JSON", "application/json", "{", "{"],
  [
    "characters that are none",
    "application/json",
    String.raw`["a\u0000b", "\ud800"]`,
    ["a\uFFFDb", "\uFFFD"],
  ],
  ["nothing", "application/json", "", null],
])("reads %s", async (_, type, body, data) => {
  const { key } = await createPayingKey(api, 100);
  await storeWorkflow(api, key, "follow", [{ id: "pause", type: "wait", seconds: 0 }]);
  const start = { serviceId: "managed-workflows", operationId: "start", input: { name: "follow" } };
  const { id, address } = await putInbound(api, key, open, { start });
  expect((await deliver(api, address, body, { "content-type": type })).status).toBe(202);
  await expect.poll(() => runsOf(api, key, id)).toHaveLength(1);
  expect((await runsOf(api, key, id))[0].input.input.event.data).toEqual(data);
});

test("takes a body of 1 MB, and none that is larger", async () => {
  const { key } = await createPayingKey(api, 100);
  await storeWorkflow(api, key, "follow", [{ id: "pause", type: "wait", seconds: 0 }]);
  const input = { name: "follow", input: { length: "{% $length(event.data.text) %}" } };
  const start = { serviceId: "managed-workflows", operationId: "start", input };
  const { id, address } = await putInbound(api, key, open, { start });
  const sized = (bytes: number) => JSON.stringify({ text: "x".repeat(bytes - '{"text":""}'.length) });
  expect(await deliver(api, address, sized(1_048_577))).toMatchObject({
    status: 413,
    body: { ok: false, error: { code: "payload_too_large" } },
  });
  const chunked = new ReadableStream({
    pull: (stream) => stream.enqueue(new Uint8Array(65_536)),
  });
  const streamed = await fetch(address.replace("http://platform.test", api.origin), {
    method: "POST",
    body: chunked,
    duplex: "half",
  } as RequestInit);
  expect(streamed.status).toBe(413);
  expect((await deliver(api, address, sized(1_048_576))).status).toBe(202);
  await expect.poll(() => runsOf(api, key, id)).toHaveLength(1);
  expect((await runsOf(api, key, id))[0].input.input.length).toBe(1_048_576 - '{"text":""}'.length);
  expect((await get(key)).ticks).toHaveLength(1);
});

test("starts nothing for a resend within a day, and another run a day later", async () => {
  const { key } = await createPayingKey(api, 100);
  const { id, address } = await putInbound(api, key, open);
  const body = JSON.stringify({ order: unique("order") });
  const answers = await Promise.all(Array.from({ length: 5 }, () => deliver(api, address, body)));
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
  await expect.poll(() => runsOf(api, key, id)).toHaveLength(1);
  expect((await get(key)).ticks).toHaveLength(1);
  await setClock(api, 86_400_000 + 1000);
  expect((await deliver(api, address, body)).status).toBe(202);
  await expect.poll(() => runsOf(api, key, id)).toHaveLength(2);
  await setClock(api, 0);
});

test("keeps deliveries while it is paused, for seven days, and replays those that were missed", async () => {
  const { key } = await createPayingKey(api, 100);
  const { id, address } = await putInbound(api, key, open);
  await triggersDo(api, key, "pause", { name: "inbound" });
  expect((await deliver(api, address, '"old"')).status).toBe(202);
  await setClock(api, 7 * 86_400_000 + 1000);
  expect((await deliver(api, address, '"new"')).status).toBe(202);
  await triggersDo(api, key, "resume", { name: "inbound" });
  await expect
    .poll(async () => (await get(key)).ticks)
    .toMatchObject([{ state: "started" }, { state: "missed", runId: null }]);
  expect(await triggersDo(api, key, "replay", { name: "inbound" })).toMatchObject({ replayed: 1 });
  await expect.poll(() => runsOf(api, key, id)).toHaveLength(2);
  await setClock(api, 0);
});

test("keeps deliveries of an ended key until the trigger is put again, at the same address", async () => {
  const { key } = await createPayingKey(api, 100);
  const child = await api.createChild(key);
  const { id, address } = await putInbound(api, child.key, open);
  await api.send("DELETE", `/v1/api-keys/${child.apiKey.id}`, { key });
  await expect.poll(async () => (await get(key)).trigger.pausedReason).toBe("owner_ended");
  expect((await deliver(api, address, "1")).status).toBe(202);
  expect((await get(key)).ticks).toMatchObject([{ state: "waiting" }]);
  expect((await putInbound(api, key, open)).address).toBe(address);
  await expect.poll(() => runsOf(api, key, id)).toHaveLength(1);
});

test("accepts exactly the maximum of deliveries per minute", async () => {
  const { key } = await createPayingKey(api, 100);
  const { address } = await putInbound(api, key, { ...open, requestsPerMinute: 7 });
  // In the middle of a minute, so that it does not end before all have arrived.
  const minute = Math.ceil(Date.now() / 60_000) * 60_000;
  await setClock(api, new Date(minute + 5000));
  const bodies = Array.from({ length: 20 }, (_, nth) => String(nth));
  const answers = await Promise.all(bodies.map((body) => deliver(api, address, body)));
  const refused = answers.filter(({ status }) => status !== 202);
  expect(refused).toHaveLength(13);
  for (const { status, headers, body } of refused) {
    expect([status, body.error.code]).toEqual([429, "limit_exhausted"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(55);
  }
  await setClock(api, new Date(minute + 65_000));
  expect((await deliver(api, address, '"later"')).status).toBe(202);
  expect((await get(key)).ticks).toHaveLength(8);
  await setClock(api, 0);
});

test("accepts deliveries at the previous address while it overlaps, and at no other", async () => {
  const { key } = await createPayingKey(api, 100);
  const { address } = await putInbound(api, key, open);
  const rotate = async (input: object) =>
    (await triggersDo(api, key, "rotate_address", { name: "inbound", ...input })).trigger.on.webhook;
  const at = async (one: string) => (await deliver(api, one, JSON.stringify(unique("body")))).status;
  const second = await rotate({ overlapSeconds: 3600 });
  expect(second.address).not.toBe(address);
  expect(Date.parse(second.previousAddressUntil) - Date.now()).toBeLessThanOrEqual(3_600_000);
  expect([await at(address), await at(second.address)]).toEqual([202, 202]);
  await setClock(api, 3_601_000);
  expect([await at(address), await at(second.address)]).toEqual([404, 202]);
  await setClock(api, 0);
  const third = await rotate({});
  expect([await at(address), await at(second.address), await at(third.address)]).toEqual([404, 202, 202]);
  const fourth = await rotate({ overlapSeconds: 0 });
  expect([await at(second.address), await at(third.address), await at(fourth.address)]).toEqual([
    404, 404, 202,
  ]);
  await triggersDo(api, key, "put", { name: "inbound", on: { everySeconds: 60 }, start: remember });
  expect(await at(fourth.address)).toBe(404);
  const fifth = await putInbound(api, key, open);
  expect(await at(fifth.address)).toBe(202);
  await triggersDo(api, key, "delete", { name: "inbound" });
  expect(await at(fifth.address)).toBe(404);
});

test("answers other requests like any unknown path", async () => {
  const { key } = await createPayingKey(api, 10);
  const { address } = await putInbound(api, key, open);
  for (const other of [`${address}x`, `${address}/`, "http://platform.test/in", "http://platform.test/in/"]) {
    const { status, body } = await deliver(api, other, "{}");
    expect([status, body.error.code]).toEqual([404, "not_found"]);
  }
  const read = await fetch(address.replace("http://platform.test", api.origin));
  expect([read.status, read.headers.get("allow")]).toEqual([405, "POST"]);
  const packed = await deliver(api, address, "{}", { "content-encoding": "gzip" });
  expect(packed.body.error.code).toBe("unsupported_media_type");
});
