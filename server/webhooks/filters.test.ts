import { expect, test, vi } from "vitest";
import { emitEvent } from "#server/events/emit-event.ts";
import { createRunEventEmitter } from "#server/runs/emit-run-events.ts";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createRun } from "#server/testing/runs.ts";
import { makeEvent, queuedFor, startDelivering, startEndpoint } from "#server/testing/webhooks.ts";
import { relayBatch } from "./relay.ts";

const api = await startApi();
const { client, db } = api.platform.database;
const emitRunEvent = createRunEventEmitter(db);
const WAIT = { timeout: 120_000 };

interface Case {
  path: string;
  op: string;
  value?: unknown;
}

async function createFiltered(key: string, url: string, filter: Case[], more: object = {}) {
  const body = { url, events: ["*"], filter, ...more };
  const created = await api.send("POST", "/v1/webhooks", { key, body });
  expect(created.body).toMatchObject({ ok: true, webhook: { filter } });
  return created.body.webhook;
}

/** Creates a run, whose input a filter finds at `data.run.input.input`, and its event. */
async function startRun(key: string, input: object) {
  const workflow = { name: "Judged", steps: [{ id: "wait", type: "wait", seconds: 60 }] };
  const service = { serviceId: "managed-workflows", operationId: "execute" };
  const { status } = await createRun(api, key, { ...service, input: { workflow, input } });
  expect(status).toBe(202);
  await emitRunEvent();
}

const INPUT = {
  amount: "12.50",
  large: "123456789012345678901234567890.1",
  count: 7,
  text: "failed",
  flag: true,
  nothing: null,
  code: "007",
  hex: "0x10",
  list: [1],
  tree: { "a b": 1 },
};

const FULFILLED = [
  ["amount", "eq", 12.5],
  ["amount", "eq", "12.5"],
  ["count", "eq", "7"],
  ["text", "eq", "failed"],
  ["flag", "eq", true],
  ["nothing", "eq", null],
  ["code", "eq", "007"],
  ["tree.a b", "eq", 1],
  ["text", "ne", "other"],
  ["count", "ne", "x"],
  ["text", "in", ["expired", "failed"]],
  ["count", "in", ["x", "7.0"]],
  ["large", "gt", "123456789012345678901234567890"],
  ["large", "gte", "123456789012345678901234567890.10"],
  ["count", "lt", 7.5],
  ["count", "lte", "7"],
  ["count", "gt", -1],
  ["text", "exists", true],
  ["tree", "exists", undefined],
  ["nothing", "exists", false],
  ["missing", "exists", false],
  ["text", "prefix", "fai"],
] as const;

const MISSED = [
  ["amount", "eq", "12.51"],
  ["text", "eq", "fail"],
  ["flag", "eq", "true"],
  ["missing", "eq", null],
  ["count", "eq", null],
  ["code", "eq", 7],
  ["hex", "eq", 16],
  ["list", "eq", 1],
  ["text", "ne", "failed"],
  ["amount", "ne", 12.5],
  ["missing", "ne", "x"],
  ["nothing", "ne", null],
  ["count", "in", [1, null, "seven"]],
  ["large", "gt", "123456789012345678901234567890.1"],
  ["count", "lt", 7],
  ["text", "gt", 1],
  ["missing", "lte", 0],
  ["nothing", "exists", true],
  ["missing", "exists", undefined],
  ["text", "exists", false],
  ["text", "prefix", "ail"],
  ["count", "prefix", "7"],
] as const;

test("sends exactly the events that fulfil a condition, of every operator and type", async () => {
  const { key } = await createPayingKey(api, 1000);
  const endpoint = await startEndpoint();
  const about = (path: string) => `data.run.input.input.${path}`;
  for (const [path, op, value] of [...FULFILLED, ...MISSED]) {
    const headers = { "X-Case": JSON.stringify([path, op, value]) };
    await createFiltered(
      key,
      endpoint.url,
      [{ path: about(path), op, ...(value !== undefined && { value }) }],
      {
        headers,
      },
    );
  }
  const { stop } = await startDelivering(api);
  await startRun(key, INPUT);
  await vi.waitFor(() => expect(endpoint.received.length).toBeGreaterThanOrEqual(FULFILLED.length), WAIT);
  const { deliveries } = (await api.send("GET", "/v1/webhook-deliveries?limit=100", { key })).body;
  await stop();
  const sent = endpoint.received.map(({ headers }) => headers["x-case"]);
  expect(sent.toSorted()).toEqual(FULFILLED.map((one) => JSON.stringify(one)).toSorted());
  expect(deliveries).toHaveLength(FULFILLED.length);
});

test("sends events that fulfil all conditions together, and recovers no others", async () => {
  const { key } = await api.createRootKey();
  const since = new Date(Date.now() - 60_000).toISOString();
  const webhook = await createFiltered(key, "https://example.com/hook", [
    { path: "type", op: "prefix", value: "project." },
    { path: "data.project.name", op: "in", value: ["Shop", "Store"] },
  ]);
  const path = `/v1/webhooks/${webhook.id}`;
  for (const name of ["Shop", "Other"]) await makeEvent(api, key, name);
  await api.createChild(key);
  expect(await queuedFor(api, key, webhook.id)).toEqual(["project.created"]);
  await api.send("PATCH", path, { key, body: { status: "paused" } });
  for (const name of ["Store", "Another"]) await makeEvent(api, key, name);
  await relayBatch(client);
  await api.send("PATCH", path, { key, body: { status: "active" } });
  expect((await api.send("GET", `${path}/missed?since=${since}`, { key })).body.events).toBe(1);
  const recovered = await api.send("POST", `${path}/recover`, { key, body: { since } });
  expect(recovered.body.deliveries).toBe(1);
});

test("keeps pending deliveries when the filter changes, and applies the new one from then on", async () => {
  const { key } = await api.createRootKey();
  const named = (value: string) => [{ path: "data.project.name", op: "eq", value }];
  const webhook = await createFiltered(key, "https://example.com/hook", named("Old"));
  const change = (filter: unknown) =>
    api.send("PATCH", `/v1/webhooks/${webhook.id}`, { key, body: { filter } });
  await makeEvent(api, key, "Old");
  expect(await queuedFor(api, key, webhook.id)).toHaveLength(1);
  expect((await change(named("New"))).body.webhook.filter).toEqual(named("New"));
  await makeEvent(api, key, "Old");
  await makeEvent(api, key, "New");
  expect(await queuedFor(api, key, webhook.id)).toHaveLength(2);
  expect((await change([])).body.webhook.filter).toBeNull();
  await makeEvent(api, key, "Old");
  expect(await queuedFor(api, key, webhook.id)).toHaveLength(3);
});

test("sends an event whose data is too large to be judged, where the rest fits", async () => {
  const { key } = await createPayingKey(api, 1000);
  const url = "https://example.com/hook";
  const status = { path: "data.run.status", op: "eq", value: "succeeded" };
  const fits = await createFiltered(key, url, [status, { path: "type", op: "eq", value: "run.queued" }]);
  const other = await createFiltered(key, url, [status, { path: "type", op: "eq", value: "run.failed" }]);
  await startRun(key, { long: "x".repeat(30_000) });
  expect(await queuedFor(api, key, fits.id)).toEqual(["run.queued"]);
  expect(await queuedFor(api, key, other.id)).toEqual([]);
});

test("judges an event whose texts the database can't hold in its JSON, and delays no other by it", async () => {
  const { key, accountId } = await api.createRootKey();
  const { project } = (await api.send("POST", "/v1/projects", { key, body: { name: "Shop" } })).body;
  const webhook = await createFiltered(key, "https://example.com/hook", [
    { path: "data.project.description", op: "prefix", value: "odd" },
  ]);
  await db.transaction((tx) =>
    emitEvent(tx, {
      type: "project.updated",
      accountId,
      projectId: project.id,
      endUserId: null,
      resource: project.id,
      data: { project: { ...project, description: "odd \0 \ud800 text" } },
    }),
  );
  await makeEvent(api, key);
  expect(await queuedFor(api, key, webhook.id)).toEqual(["project.updated"]);
});

test.each([
  [{ path: "data.run.statos", op: "eq", value: "failed" }, "path", "data.run.status"],
  [{ path: "data.nothing.id", op: "eq", value: "x" }, "path", "The nearest is"],
  [{ path: "data.run", op: "eq", value: "x" }, "path", "data.run holds several fields"],
  [{ path: "data.run.timeline", op: "eq", value: "x" }, "path", "is a list"],
  [{ path: "data..id", op: "eq", value: "x" }, "path", "Name a field"],
  [{ path: "data.run.status", op: "like", value: "x" }, "op", "Send one of eq"],
  [{ path: "data.run.status", op: "gt", value: "many" }, "value", "gt compares numbers"],
  [{ path: "data.run.status", op: "in", value: "failed" }, "value", "in takes a list"],
  [{ path: "data.run.status", op: "in", value: [] }, "value", "List at least one"],
  [{ path: "data.run.status", op: "eq" }, "value", "eq takes one value"],
  [{ path: "data.run.status", op: "eq", value: { a: 1 } }, "value", "Send a text"],
  [{ path: "data.run.status", op: "prefix", value: 5 }, "value", "prefix takes"],
  [{ path: "data.run.status", op: "exists", value: "yes" }, "value", "exists takes"],
  [{ path: "data.run.status", op: "eq", value: "x", not: true }, "not", "Unknown field"],
])("refuses %j at its %s", async (condition, field, message) => {
  const { key } = await api.createRootKey();
  const filter = [{ path: "type", op: "eq", value: "run.failed" }, condition];
  const body = { url: "https://example.com/hook", events: ["run.*"], filter };
  const refused = await api.send("POST", "/v1/webhooks", { key, body });
  expect(refused.status).toBe(400);
  expect(refused.body.error).toMatchObject({
    code: "invalid_request",
    issues: [{ path: `body.filter.1.${field}`, message: expect.stringContaining(message) }],
  });
});

test("refuses more than twenty conditions, 8 KB of them, and events that a filter does not fit", async () => {
  const { key } = await api.createRootKey();
  const url = "https://example.com/hook";
  const create = (filter: unknown) =>
    api.send("POST", "/v1/webhooks", { key, body: { url, events: ["run.*"], filter } });
  const one = { path: "data.run.status", op: "eq", value: "failed" };
  const long = { ...one, op: "in", value: Array.from({ length: 20 }, () => "x".repeat(200)) };
  for (const filter of [Array.from({ length: 21 }, () => one), [long, long, long]])
    expect((await create(filter)).body.error.issues).toMatchObject([{ path: "body.filter" }]);
  const { webhook } = (await create([one])).body;
  const change = (body: unknown) => api.send("PATCH", `/v1/webhooks/${webhook.id}`, { key, body });
  expect((await change({ events: ["credits.*"] })).body.error.issues).toMatchObject([
    { path: "body.events", message: expect.stringContaining("data.run.status") },
  ]);
  expect((await change({ events: ["credits.*"], filter: null })).status).toBe(200);
});
