import { afterAll, expect, test } from "vitest";
import { ROLE_SCOPES } from "#server/operation/roles.ts";
import { SCOPE_NAMES } from "#server/operation/scopes.ts";
import { startApi } from "#server/testing/api.ts";
import { caller, signUpAndIn } from "#server/testing/console.ts";
import { endWait, runWith, startRuns } from "#server/testing/runs.ts";
import { waitsOf } from "#server/testing/sent-events.ts";
import { makeEvent, startDelivering } from "#server/testing/webhooks.ts";
import { createStarter } from "#server/testing/workflows.ts";

const api = await startApi();
const worker = await startRuns(api, { slots: 8, perAccount: 8 });
afterAll(() => worker.stop());
await startDelivering(api);

const created = (name: unknown, more: object = {}) => ({
  id: "made",
  type: "await",
  events: [{ name: "project.created", where: [{ path: "data.project.name", op: "eq", value: name }] }],
  timeoutSeconds: 60,
  ...more,
});
const flow = (...steps: unknown[]) => ({ name: "Wait", steps });

test("continues with a platform event that fulfils its conditions, without any webhook", async () => {
  const { key, root, start } = await createStarter(api);
  const id = await start(flow(created("{% input.name %}")), { name: "Mine" });
  await waitsOf(api, root, id);
  await makeEvent(api, key, "Another");
  const project = await makeEvent(api, key, "Mine");
  const { event, timedOut } = (await runWith(api, root, id, "succeeded")).result.output;
  expect(timedOut).toBe(false);
  expect(event).toMatchObject({ name: "project.created", key: null, data: { project: { id: project } } });
});

test("considers events since the run's start, including those of its own steps", async () => {
  const { root, start } = await createStarter(api);
  await makeEvent(api, root, "Twice");
  const make = { id: "make", type: "operation", operation: "projects.create", body: { name: "Twice" } };
  const pause = { id: "pause", type: "wait", seconds: 1 };
  const run = await runWith(api, root, await start(flow(make, pause, created("Twice"))), "succeeded");
  const { projects } = (await api.send("GET", "/v1/projects?limit=1", { key: root })).body;
  expect(run.result.output.event.data.project.id).toBe(projects[0].id);
});

test("ignores events that the run's creator could not read, of another account, or of another project", async () => {
  const { root } = await createStarter(api);
  const other = await createStarter(api);
  const scopes = ["services:read", "services:invoke", "runs:read", "runs:write"];
  const blind = await api.createChild(root, { scopes });
  const project = await makeEvent(api, root, "Bound");
  const begin = async (key: string, headers: Record<string, string> = {}) => {
    const body = {
      serviceId: "managed-workflows",
      operationId: "execute",
      input: { workflow: flow(created("Secret", { timeoutSeconds: 3600, onTimeout: "continue" })) },
    };
    const answer = await api.send("POST", "/v1/runs", { key, body, headers });
    expect(answer.status).toBe(202);
    await waitsOf(api, key, answer.body.run.id);
    return answer.body.run.id;
  };
  const ids = [await begin(blind.key), await begin(root, { "x-service-project": project })];
  const foreign = await begin(other.key);
  const sighted = await begin(root);
  await makeEvent(api, root, "Secret");
  expect((await runWith(api, root, sighted, "succeeded")).result.output.timedOut).toBe(false);
  for (const id of [...ids, foreign]) await endWait(api, id, "steps.made");
  for (const id of ids)
    expect((await runWith(api, root, id, "succeeded")).result.output).toEqual({
      event: null,
      timedOut: true,
    });
  expect((await runWith(api, other.root, foreign, "succeeded")).result.output.timedOut).toBe(true);
});

test("continues a member's run only with events that their role may read", async () => {
  const { cookie } = await signUpAndIn(api);
  const { mutate, query } = caller(api, cookie);
  const input = { workflow: flow(created("Member's")) };
  const body = { serviceId: "managed-workflows", operationId: "execute", input };
  const { data } = await mutate("runs.create", body);
  const read = async () => (await query("runs.read", { runId: data.run.id })).data.run;
  await expect.poll(async () => (await read()).waitsFor).toHaveLength(1);
  await mutate("projects.create", { name: "Member's" });
  await expect.poll(async () => (await read()).status).toBe("succeeded");
  expect((await read()).result.output).toMatchObject({ event: { name: "project.created" }, timedOut: false });
});

test("has each role's readable events in the database", async () => {
  const { client } = api.platform.database;
  for (const [role, scopes] of Object.entries(ROLE_SCOPES)) {
    const rows = await client`
      select scope from unnest(${[...SCOPE_NAMES]}::text[]) scope where role_has(${role}, scope)`;
    expect(rows.map(({ scope }) => scope).sort()).toEqual([...scopes].sort());
  }
});

test("refuses an event that the platform does not have, and a key of one that it has", async () => {
  const { key } = await createStarter(api);
  const issuesOf = async (event: object) =>
    (
      await api.send("POST", "/v1/services/managed-workflows/invoke", {
        key,
        body: {
          operationId: "validate",
          input: { workflow: flow({ id: "a", type: "await", timeoutSeconds: 1, events: [event] }) },
        },
      })
    ).body.result.issues;
  expect(await issuesOf({ name: "wallet.deposit.confirmed" })).toEqual([]);
  expect(await issuesOf({ name: "wallet.emptied" })).toEqual([
    { path: "steps.0.events.0.name", message: 'The platform has no event "wallet.emptied".' },
  ]);
  expect(await issuesOf({ name: "run.succeeded", key: "x" })).toEqual([
    { path: "steps.0.events.0.key", message: "The platform's events have no key. Use where." },
  ]);
});
