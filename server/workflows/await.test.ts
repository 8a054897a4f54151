import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { runWith, startRuns } from "#server/testing/runs.ts";
import { sendEvent, sent, waitsOf } from "#server/testing/sent-events.ts";
import { createStarter } from "#server/testing/workflows.ts";

const api = await startApi();
const worker = await startRuns(api, { slots: 8, perAccount: 8 });
afterAll(() => worker.stop());

const MINUTE = 60;
const awaiting = (events: unknown[], more: object = {}) => ({
  id: "paid",
  type: "await",
  events,
  timeoutSeconds: MINUTE,
  ...more,
});
const flow = (...steps: unknown[]) => ({ name: "Wait", steps });

test("continues with the first of several events, and no longer waits for the others", async () => {
  const { key, root, start } = await createStarter(api);
  const steps = awaiting([
    { name: "order.paid", key: "{% input.order %}" },
    {
      name: "order.cancelled",
      key: "{% input.order %}",
      where: [{ path: "data.final", op: "eq", value: true }],
    },
  ]);
  const before = Date.now();
  const id = await start(flow(steps), { order: 4711 });
  const [wait] = await waitsOf(api, root, id);
  const began = Date.parse(wait.until) - MINUTE * 1000;
  expect([before, began, Date.parse(wait.since), Date.now()]).toEqual(
    [before, began, Date.parse(wait.since), Date.now()].sort((a, b) => a - b),
  );
  expect(wait).toMatchObject({
    step: "steps.paid",
    events: [
      { name: "order.paid", key: "4711" },
      { name: "order.cancelled", key: "4711" },
    ],
  });
  expect(await sent(api, key, { name: "order.paid", key: "4712" })).toMatchObject({ resumed: 0 });
  expect(await sent(api, key, { name: "order.paid" })).toMatchObject({ resumed: 0 });
  const cancelled = { name: "order.cancelled", key: "4711" };
  expect(await sent(api, key, { ...cancelled, data: { final: false } })).toMatchObject({ resumed: 0 });
  const { eventId, ...brought } = await sent(api, key, { ...cancelled, data: { final: true } });
  expect(brought).toEqual({ resumed: 1, started: 0, repeated: false });
  expect(await sent(api, key, { name: "order.paid", key: "4711" })).toMatchObject({ resumed: 0 });
  const run = await runWith(api, root, id, "succeeded");
  expect(run.result.output).toEqual({
    event: { id: eventId, ...cancelled, data: { final: true }, sentAt: expect.any(String) },
    timedOut: false,
  });
  expect(run.waitsFor).toEqual([]);
});

test("counts an event that was sent before the step began to wait, since the run's start or as far back as it says", async () => {
  const { key, root, start } = await createStarter(api);
  await sent(api, key, { name: "before", data: "before the run" });
  const gate = { id: "gate", type: "await", events: [{ name: "go" }], timeoutSeconds: MINUTE };
  const ids = await Promise.all([
    start(flow(gate, awaiting([{ name: "before" }]))),
    start(flow(gate, awaiting([{ name: "before" }], { lookbackSeconds: 3600 }))),
    start(flow(gate, awaiting([{ name: "before" }], { lookbackSeconds: 0 }))),
  ]);
  for (const id of ids) await waitsOf(api, root, id);
  await sent(api, key, { name: "before", data: "within the run" });
  expect(await sent(api, key, { name: "go" })).toMatchObject({ resumed: 3 });
  const dataOf = async (id: string) => (await runWith(api, root, id, "succeeded")).result.output.event.data;
  expect(await dataOf(ids[0])).toBe("within the run");
  expect(await dataOf(ids[1])).toBe("before the run");
  await expect.poll(async () => (await waitsOf(api, root, ids[2]))[0].step).toBe("steps.paid");
  expect(await sent(api, key, { name: "before", data: "after" })).toMatchObject({ resumed: 1 });
  expect(await dataOf(ids[2])).toBe("after");
});

test("fails with service_timeout, or continues without an event, if none comes in time", async () => {
  const { root, start } = await createStarter(api);
  const late = (onTimeout?: string) => awaiting([{ name: "never" }], { timeoutSeconds: 0.2, onTimeout });
  const failing = await start(flow(late()));
  const going = await start(flow(late("continue")));
  const around = { id: "all", type: "map", items: [0], concurrency: 1, timeoutSeconds: 0.2 };
  const bounded = await start(
    flow({ ...around, steps: [awaiting([{ name: "never" }], { onTimeout: "continue" })] }),
  );
  const failed = await runWith(api, root, failing, "failed");
  expect(failed.error).toMatchObject({ code: "service_timeout", step: "steps.paid" });
  expect(failed.waitsFor).toEqual([]);
  const gone = await runWith(api, root, going, "succeeded");
  expect(gone.result.output).toEqual({ event: null, timedOut: true });
  const left = await runWith(api, root, bounded, "failed");
  expect(left.error).toMatchObject({ code: "service_timeout", step: "steps.all[0].paid" });
});

test("gives each event to one step of a run, and to every run that waits for it", async () => {
  const { key, root, start } = await createStarter(api);
  const each = { id: "each", type: "map", items: [0, 1, 2], concurrency: 2 };
  const steps = flow({ ...each, steps: [{ ...awaiting([{ name: "arrived" }]), id: "parcel" }] });
  const ids = [await start(steps), await start(steps)];
  for (const id of ids) await expect.poll(async () => (await waitsOf(api, root, id)).length).toBe(2);
  for (const data of ["one", "two"])
    expect(await sent(api, key, { name: "arrived", data })).toMatchObject({ resumed: 2 });
  // The third step begins to wait when another has ended.
  for (const id of ids)
    await expect
      .poll(async () => (await waitsOf(api, root, id)).map(({ step }) => step))
      .toEqual(["steps.each[2].parcel"]);
  expect(await sent(api, key, { name: "arrived", data: "three" })).toMatchObject({ resumed: 2 });
  for (const id of ids) {
    const { output } = (await runWith(api, root, id, "succeeded")).result;
    expect(output.map(({ event }: { event: { data: string } }) => event.data).sort()).toEqual([
      "one",
      "three",
      "two",
    ]);
  }
});

test("counts an event once for a day by its sender's id, also when it is sent twice at once", async () => {
  const { key, root, start } = await createStarter(api);
  const id = await start(
    flow(awaiting([{ name: "delivered" }]), { ...awaiting([{ name: "delivered" }]), id: "again" }),
  );
  await waitsOf(api, root, id);
  const event = { name: "delivered", id: "provider-1", data: 1 };
  const answers = await Promise.all([1, 2, 3].map(() => sent(api, key, event)));
  expect(new Set(answers.map(({ eventId }) => eventId)).size).toBe(1);
  expect(answers.map(({ repeated }) => repeated).sort()).toEqual([false, true, true]);
  expect(answers.map(({ resumed }) => resumed)).toEqual([1, 1, 1]);
  await expect.poll(async () => (await waitsOf(api, root, id))[0].step).toBe("steps.again");
  expect(await sent(api, key, event)).toMatchObject({ repeated: true });
  expect(await sent(api, key, { ...event, id: "provider-2" })).toMatchObject({ resumed: 1, repeated: false });
  await runWith(api, root, id, "succeeded");
});

const CASES: [string, unknown, unknown, boolean][] = [
  ["eq", "12.50", { v: 12.5 }, true],
  ["eq", "0123", { v: "123" }, false],
  ["eq", { a: 1 }, { v: { a: 1 } }, true],
  ["eq", 1, {}, false],
  ["ne", 1, { v: 2 }, true],
  ["ne", 1, {}, false],
  ["in", ["a", "2.0"], { v: 2 }, true],
  ["in", ["a"], { v: "b" }, false],
  ["gt", "0.1", { v: "0.10000000000000000000000001" }, true],
  ["gte", 3, { v: "3.0" }, true],
  ["lt", "2027-01-01", { v: "2026-12-31T23:00:00Z" }, true],
  ["lt", 5, { v: "many" }, false],
  ["lte", -1, { v: -2 }, true],
  ["gt", "5", { v: "many" }, false],
  ["exists", true, { v: null }, false],
  ["exists", undefined, { v: false }, true],
  ["exists", false, { v: null }, true],
  ["exists", false, {}, true],
  ["prefix", "ab", { v: "abc" }, true],
  ["prefix", "ab", { v: 5 }, false],
];

test("accepts only events that fulfil all conditions, comparing decimals exactly", async () => {
  const { key, root, start } = await createStarter(api);
  await Promise.all(CASES.map(([, , data], nth) => sent(api, key, { name: "judged", key: `${nth}`, data })));
  const steps = CASES.map(([op, value], nth) => ({
    id: `s${nth}`,
    type: "await",
    events: [{ name: "judged", key: `${nth}`, where: [{ path: "data.v", op, value }] }],
    lookbackSeconds: 3600,
    timeoutSeconds: 0.01,
    onTimeout: "continue",
  }));
  const id = await start({
    name: "Judge",
    steps,
    output: "{% $each(steps, function($s) { $not($s.timedOut) }) %}",
  });
  const run = await runWith(api, root, id, "succeeded");
  expect(run.result.output).toEqual(CASES.map(([, , , fits]) => fits));
});

test("refuses an event that can't be awaited, before the run or, if an expression decides, within the step", async () => {
  const { key, root, fail } = await createStarter(api);
  const body = (events: unknown[], more = {}) => ({
    serviceId: "managed-workflows",
    operationId: "execute",
    input: { workflow: flow(awaiting(events, more)) },
  });
  const refused = async (events: unknown[], more = {}) => {
    const answer = await api.send("POST", "/v1/runs", { key, body: body(events, more) });
    expect(answer.status).toBe(400);
    return answer.body.error.issues[0].path;
  };
  const at = "body.input.workflow.steps.0";
  expect(await refused([])).toBe(`${at}.events`);
  expect(await refused([{ name: "run.ended" }])).toBe(`${at}.events.0.name`);
  expect(await refused([{ name: "a" }], { timeoutSeconds: 2_592_001 })).toBe(`${at}.timeoutSeconds`);
  expect(await refused([{ name: "a", where: [{ path: "v", op: "eq", value: 1 }] }])).toBe(
    `${at}.events.0.where.0.path`,
  );
  const failed = await fail([awaiting([{ name: "a", key: "{% input.nothing %}" }])], {});
  expect(failed.error).toMatchObject({ code: "invalid_request", step: "steps.paid" });
  const platforms = await sendEvent(api, root, { name: "run.succeeded" });
  expect(platforms.body.error.issues[0].path).toBe("body.input.name");
  const large = await sendEvent(api, root, { name: "a", data: "x".repeat(65_536) });
  expect(large.status).toBe(400);
  expect(large.body.error.issues[0].path).toBe("body.input.data");
});

test("reaches only runs of the same account, project and end user, and only from callers with runs:write", async () => {
  const { key, root, start } = await createStarter(api);
  const other = await createStarter(api);
  const { project } = (await api.send("POST", "/v1/projects", { key: root, body: { name: "P" } })).body;
  const inProject = { "x-service-project": project.id };
  const id = await start(flow(awaiting([{ name: "here" }], { lookbackSeconds: 3600 })));
  await waitsOf(api, root, id);
  const event = { name: "here" };
  expect(await sent(api, other.key, event)).toMatchObject({ resumed: 0 });
  expect(await sent(api, key, event, inProject)).toMatchObject({ resumed: 0 });
  expect(await sent(api, key, event, { "x-service-end-user": "ada" })).toMatchObject({ resumed: 0 });
  const scopes = ["services:read", "services:invoke"];
  const weak = await api.createChild(root, { scopes });
  const refused = await sendEvent(api, weak.key, event);
  expect([refused.status, refused.body.error.code]).toEqual([403, "scope_missing"]);
  expect(await sent(api, key, event)).toMatchObject({ resumed: 1 });
  await runWith(api, root, id, "succeeded");
});

test("does not continue a cancelled run, and fails one whose key was revoked", async () => {
  const { key, root, apiKey, start } = await createStarter(api);
  const cancelled = await start(flow(awaiting([{ name: "late" }])));
  await waitsOf(api, root, cancelled);
  await api.send("POST", `/v1/runs/${cancelled}/cancel`, { key: root, body: {} });
  await runWith(api, root, cancelled, "cancelled");
  expect(await sent(api, key, { name: "late" })).toMatchObject({ resumed: 0 });
  const orphan = await start(
    flow(awaiting([{ name: "orphaned" }]), { id: "next", type: "wait", seconds: 0 }),
  );
  await waitsOf(api, root, orphan);
  await api.send("DELETE", `/v1/api-keys/${apiKey.id}`, { key: root });
  await sent(api, root, { name: "orphaned" });
  const failed = await runWith(api, root, orphan, "failed");
  expect(failed.error.code).toBe("api_key_revoked");
});

test("seals sent events if the key's privacy tier is strict, and passes them on", async () => {
  const { key } = await createPayingKey(api, 100, { privacyTier: "strict" });
  const body = (workflow: unknown) => ({
    serviceId: "managed-workflows",
    operationId: "execute",
    input: { workflow },
  });
  const where = [{ path: "data.pin", op: "eq", value: "0451" }];
  const pause = { id: "pause", type: "wait", seconds: 0.2 };
  const check = {
    id: "check",
    type: "branch",
    cases: [
      {
        when: "{% steps.paid.event.data.pin = '0451' %}",
        steps: [{ id: "right", type: "wait", seconds: 0 }],
      },
    ],
    else: [{ id: "wrong", type: "approval", summary: "Never asked." }],
  };
  const created = await api.send("POST", "/v1/runs", {
    key,
    body: body(flow(pause, awaiting([{ name: "opened", where }]), check)),
  });
  expect(created.status).toBe(202);
  await sent(api, key, { name: "opened", data: { pin: "0452" } });
  await sent(api, key, { name: "opened", data: { pin: "0451" } });
  await runWith(api, key, created.body.run.id, "succeeded");
  const stored = await api.platform.database
    .client`select data from sent_events where privacy_tier = 'strict'`;
  expect(stored).toHaveLength(2);
  for (const { data } of stored) expect(Buffer.from(data).toString()).not.toContain("pin");
});
