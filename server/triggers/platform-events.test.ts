import { afterAll, expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { caller, signUpAndIn } from "#server/testing/console.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startRuns } from "#server/testing/runs.ts";
import { remember, runsOf, startTriggers, triggersDo } from "#server/testing/triggers.ts";
import { makeEvent, startDelivering } from "#server/testing/webhooks.ts";

const api = await startApi();
const workers = [await startTriggers(api), await startRuns(api)];
afterAll(() => Promise.all(workers.map((worker) => worker.stop())));
await startDelivering(api);

const on = (name: string) => ({
  event: "project.created",
  where: [{ path: "data.project.name", op: "eq", value: name }],
});
const put = async (key: string, name: string, more: object = {}) =>
  (await triggersDo(api, key, "put", { name: "made", on: on(name), start: remember, ...more })).trigger;
const ticksOf = async (key: string) => (await triggersDo(api, key, "get", { name: "made" })).ticks;

test("starts a run by an event of the platform, without any webhook", async () => {
  const { key } = await createPayingKey(api, 100);
  const start = { ...remember, input: { name: "seen", content: "{% event.data.project.id %}" } };
  const { id } = await put(key, "Mine", { start });
  await makeEvent(api, key, "Another");
  const project = await makeEvent(api, key, "Mine");
  await expect.poll(() => runsOf(api, key, id)).toHaveLength(1);
  const [run] = await runsOf(api, key, id);
  expect(run.input.content).toBe(project);
  expect(await ticksOf(key)).toMatchObject([{ kind: "event", state: "started", runId: run.id }]);
});

test("ignores events that its owner could not read, of another account, or of another project", async () => {
  const { key } = await createPayingKey(api, 100);
  const other = await createPayingKey(api, 100);
  const scopes = ["services:read", "services:invoke", "runs:read", "runs:write"];
  const { key: blind } = await api.createChild(key, { scopes });
  const sighted = await put(key, "Secret");
  const blinded = (await triggersDo(api, blind, "put", { name: "blind", on: on("Secret"), start: remember }))
    .trigger;
  const foreign = await put(other.key, "Secret");
  const bound = await makeEvent(api, key, unique("bound"));
  const within = await api.send("POST", "/v1/services/managed-triggers/invoke", {
    key,
    headers: { "x-service-project": bound },
    body: { operationId: "put", input: { name: "made", on: on("Secret"), start: remember } },
  });
  await makeEvent(api, key, "Secret");
  await expect.poll(() => runsOf(api, key, sighted.id)).toHaveLength(1);
  expect(await runsOf(api, key, blinded.id)).toEqual([]);
  expect(await runsOf(api, other.key, foreign.id)).toEqual([]);
  expect(await runsOf(api, key, within.body.result.trigger.id)).toEqual([]);
});

test("keeps events while it is paused, and starts their runs once it is resumed", async () => {
  const { key } = await createPayingKey(api, 100);
  const { id } = await put(key, "Late");
  await triggersDo(api, key, "pause", { name: "made" });
  await makeEvent(api, key, "Late");
  await expect.poll(() => ticksOf(key)).toMatchObject([{ state: "waiting" }]);
  await triggersDo(api, key, "resume", { name: "made" });
  await expect.poll(() => runsOf(api, key, id)).toHaveLength(1);
});

test("starts a member's runs only by events that they may read", async () => {
  const { cookie } = await signUpAndIn(api);
  const { mutate } = caller(api, cookie);
  const invoke = async (operationId: string, input: object) =>
    (await mutate("services.invoke", { serviceId: "managed-triggers", operationId, input })).data.result;
  await invoke("put", { name: "made", on: on("Member's"), start: remember });
  await mutate("projects.create", { name: "Member's" });
  await expect.poll(async () => (await invoke("get", { name: "made" })).ticks).toHaveLength(1);
});

test("stops runs that start each other by their own events after eight", async () => {
  const { key } = await createPayingKey(api, 100);
  const { id } = await put(key, "", { on: { event: "run.succeeded" } });
  const body = { ...remember };
  expect((await api.send("POST", "/v1/runs", { key, body })).status).toBe(202);
  await expect
    .poll(async () => (await ticksOf(key))[0])
    .toMatchObject({ state: "refused", error: { code: "loop_detected" } });
  expect(await runsOf(api, key, id)).toHaveLength(8);
});
