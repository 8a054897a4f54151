import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { invokeWorkflows, startStored, storeWorkflow } from "#server/testing/stored-workflows.ts";
import { triggersDo } from "#server/testing/triggers.ts";

const api = await startApi();

const pause = (seconds: number) => [{ id: "pause", type: "wait", seconds }];

test("stores versions that never change, and answers the newest where the content is the same", async () => {
  const { key, apiKey } = await createPayingKey(api, 1000);
  const workflow = { name: "Restock", steps: pause(1) };
  const put = (more: object) => invokeWorkflows(api, key, "put", { name: "restock", workflow, ...more });
  const first = await put({ description: "Waits." });
  expect(first.status).toBe(200);
  expect(first.body.result).toEqual({
    workflow: {
      id: expect.stringMatching(/^wf_[0-9a-z]{26}$/),
      name: "restock",
      version: 1,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      description: "Waits.",
      status: "active",
      archivedAt: null,
      projectId: null,
      endUser: null,
      createdAt: expect.stringMatching(/^20..-.*\.\d{3}Z$/),
      createdBy: { type: "key", id: apiKey.id, label: "Root" },
    },
  });
  expect(first.body.chargedCredits).toBe(1);
  expect((await put({ description: "Waits." })).body.result).toEqual(first.body.result);
  const second = await put({ workflow: { ...workflow, steps: pause(2) } });
  expect(second.body.result.workflow).toMatchObject({ version: 2, id: first.body.result.workflow.id });
  // Content from before the newest version becomes a new version: only the newest is compared.
  expect((await put({ description: "Waits." })).body.result.workflow).toMatchObject({
    version: 3,
    digest: first.body.result.workflow.digest,
  });

  const get = async (input: object) =>
    (await invokeWorkflows(api, key, "get", { name: "restock", ...input })).body;
  expect((await get({})).result).toMatchObject({
    workflow: { version: 3 },
    definition: workflow,
    inputSchema: null,
  });
  expect((await get({ version: 2 })).result.definition.steps).toEqual(pause(2));
  expect((await get({ version: 4 })).error).toMatchObject({
    code: "not_found",
    message: 'No version 4 of the workflow "restock" is kept; the newest is 3.',
  });

  await storeWorkflow(api, key, "another", pause(0));
  const list = async (input: object) => (await invokeWorkflows(api, key, "list", input)).body.result;
  const all = await list({});
  expect(all).toMatchObject({
    workflows: [
      { name: "another", version: 1 },
      { name: "restock", version: 3 },
    ],
    nextCursor: null,
  });
  const one = await list({ name: "restock", limit: 2 });
  expect(one.workflows.map(({ version }: { version: number }) => version)).toEqual([3, 2]);
  const rest = await list({ name: "restock", limit: 2, cursor: one.nextCursor });
  expect(rest.workflows.map(({ version }: { version: number }) => version)).toEqual([1]);
  expect(rest.nextCursor).toBeNull();
});

test("stores only over the version that the caller has seen", async () => {
  const { key } = await createPayingKey(api, 1000);
  const put = (steps: unknown[], ifVersion: number) =>
    invokeWorkflows(api, key, "put", { name: "seen", workflow: { name: "Seen", steps }, ifVersion });
  expect((await put(pause(1), 1)).body.error).toMatchObject({ status: 409, code: "state_conflict" });
  expect((await put(pause(1), 0)).body.result.workflow.version).toBe(1);
  const stale = await put(pause(2), 0);
  expect(stale.body.error).toMatchObject({
    status: 409,
    code: "state_conflict",
    message: 'The newest version of "seen" is 1, not 0.',
  });
  const racing = await Promise.all([2, 3, 4, 5].map((seconds) => put(pause(seconds), 1)));
  expect(racing.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
});

test("numbers concurrent versions without a gap", async () => {
  const { key } = await createPayingKey(api, 1000);
  const stored = await Promise.all(
    Array.from({ length: 20 }, (_, nth) => storeWorkflow(api, key, "racing", pause(nth))),
  );
  const versions = stored.map(({ version }) => version).sort((a, b) => a - b);
  expect(versions).toEqual(Array.from({ length: 20 }, (_, nth) => nth + 1));
});

test("gives each start that meets a put exactly one version", async () => {
  const { key } = await createPayingKey(api, 10_000);
  await storeWorkflow(api, key, "busy", [{ id: "pause", type: "wait", seconds: 3600 }], { output: 1 });
  const starts = Array.from({ length: 100 }, () => startStored(api, key, { name: "busy" }));
  const puts = [2, 3, 4].map((output) =>
    storeWorkflow(api, key, "busy", [{ id: "pause", type: "wait", seconds: 3600 }], { output }),
  );
  const [runs] = await Promise.all([Promise.all(starts), Promise.all(puts)]);
  for (const { status, body } of runs) {
    expect(status).toBe(202);
    const { version } = body.run.workflow;
    expect([1, 2, 3, 4]).toContain(version);
    // The run keeps the version that it was created with.
    const read = await api.send("GET", `/v1/runs/${body.run.id}`, { key });
    expect(read.body.run.workflow).toEqual({ id: expect.any(String), name: "busy", version });
  }
  const after = await startStored(api, key, { name: "busy" });
  expect(after.body.run.workflow.version).toBe(4);
  const pinned = await startStored(api, key, { name: "busy", version: 2 });
  expect(pinned.body.run.workflow.version).toBe(2);
  const { id } = pinned.body.run.workflow;
  const runsOf = async (query: string) =>
    (await api.send("GET", `/v1/runs?workflowId=${id}&timeline=exclude&limit=100${query}`, { key })).body
      .runs;
  const counted = await Promise.all([1, 2, 3, 4].map((version) => runsOf(`&workflowVersion=${version}`)));
  expect(counted.flat()).toHaveLength(102);
  expect(await runsOf("")).toHaveLength(100);
});

test("separates projects, end users and accounts", async () => {
  const { key } = await createPayingKey(api, 1000);
  const project = await api.send("POST", "/v1/projects", { key, body: { name: "Shop" } });
  const inProject = { "x-service-project": project.body.project.id };
  const forAda = { "x-service-end-user": "ada" };
  await storeWorkflow(api, key, "mine", pause(1));
  const other = await storeWorkflow(api, key, "mine", pause(2), { headers: inProject });
  expect(other).toMatchObject({ version: 1, projectId: project.body.project.id });
  const seen = async (headers: Record<string, string>) => {
    const { body } = await invokeWorkflows(api, key, "get", { name: "mine" }, { headers });
    return body.ok ? body.result.definition.steps : body.error.code;
  };
  expect(await seen({})).toEqual(pause(1));
  expect(await seen(inProject)).toEqual(pause(2));
  expect(await seen(forAda)).toBe("not_found");
  expect((await startStored(api, key, { name: "mine" }, forAda)).body.error).toMatchObject({
    status: 404,
    code: "not_found",
  });
  const stranger = await createPayingKey(api, 1000);
  const foreign = await startStored(api, stranger.key, { name: "mine" });
  const missing = await startStored(api, stranger.key, { name: "none" });
  expect(foreign.body.error.message).toBe(missing.body.error.message.replace("none", "mine"));
  expect(foreign.status).toBe(404);
  const bound = await api.createChild(key, { projectId: project.body.project.id });
  expect((await startStored(api, bound.key, { name: "mine" })).body.run.projectId).toBe(
    project.body.project.id,
  );
  const list = await invokeWorkflows(api, bound.key, "list", {});
  expect(list.body.result.workflows).toHaveLength(1);
});

test("neither starts nor updates an archived workflow, until it is restored", async () => {
  const { key } = await createPayingKey(api, 1000);
  await storeWorkflow(api, key, "old", pause(3600));
  const { run } = (await startStored(api, key, { name: "old" })).body;
  const archive = await invokeWorkflows(api, key, "archive", { name: "old" });
  expect(archive.body.result.workflow).toMatchObject({ status: "archived", version: 1 });
  expect((await invokeWorkflows(api, key, "archive", { name: "old" })).body.result).toEqual(
    archive.body.result,
  );
  const refused = { status: 409, code: "state_conflict" };
  expect((await startStored(api, key, { name: "old" })).body.error).toMatchObject(refused);
  const put = { name: "old", workflow: { name: "Old", steps: pause(1) } };
  expect((await invokeWorkflows(api, key, "put", put)).body.error).toMatchObject(refused);
  expect((await invokeWorkflows(api, key, "get", { name: "old" })).status).toBe(200);
  expect((await api.send("GET", `/v1/runs/${run.id}`, { key })).body.run.status).toBe("queued");
  const only = await invokeWorkflows(api, key, "list", { status: "active" });
  expect(only.body.result.workflows).toEqual([]);
  await api.send("POST", `/v1/runs/${run.id}/cancel`, { key, body: {} });
  const retried = await api.send("POST", `/v1/runs/${run.id}/retry`, { key, body: {} });
  expect(retried.body.error).toMatchObject(refused);

  await invokeWorkflows(api, key, "restore", { name: "old" });
  expect((await startStored(api, key, { name: "old" })).status).toBe(202);
  expect((await invokeWorkflows(api, key, "archive", { name: "none" })).body.error).toMatchObject({
    status: 404,
    code: "not_found",
  });
});

test("refuses invalid workflows, and those beyond the limits", async () => {
  const { key } = await createPayingKey(api, 10_000);
  const put = (input: object) => invokeWorkflows(api, key, "put", input);
  const named = await put({ name: "Not a slug", workflow: { name: "X", steps: pause(1) } });
  expect(named.body.error).toMatchObject({ status: 400, issues: [{ path: "body.input.name" }] });
  const steps = [{ id: "a", type: "run", name: "b", input: "{% steps.later %}" }];
  const faulty = await put({ name: "faulty", workflow: { name: "X", steps } });
  expect(faulty.body.error.issues).toEqual([
    { path: "body.input.workflow.steps.0.input", message: 'No step "later" comes before this one.' },
  ]);
  const large = { name: "X", steps: pause(1), output: "x".repeat(262_144) };
  const refused = await put({ name: "large", workflow: large });
  expect(refused.body.error).toMatchObject({ status: 400, issues: [{ path: "body.input.workflow" }] });

  const names = Array.from({ length: 500 }, (_, nth) => `w-${nth}`);
  for (let at = 0; at < names.length; at += 25)
    await Promise.all(names.slice(at, at + 25).map((name) => storeWorkflow(api, key, name, pause(1))));
  const beyond = await Promise.all(
    ["x-1", "x-2", "x-3"].map((name) => put({ name, workflow: { name: "X", steps: pause(1) } })),
  );
  for (const { body } of beyond) expect(body.error).toMatchObject({ status: 403, code: "quota_exceeded" });
  expect(await storeWorkflow(api, key, "w-7", pause(2))).toMatchObject({ version: 2 });
  await invokeWorkflows(api, key, "archive", { name: "w-1" });
  await storeWorkflow(api, key, "x-1", pause(1));
  expect((await invokeWorkflows(api, key, "restore", { name: "w-1" })).body.error.code).toBe(
    "quota_exceeded",
  );
});

test("keeps a hundred versions, and older ones that live runs are of or triggers name", async () => {
  const { key } = await createPayingKey(api, 10_000);
  await storeWorkflow(api, key, "long", pause(3600));
  const { run } = (await startStored(api, key, { name: "long" })).body;
  await storeWorkflow(api, key, "long", pause(1));
  // A live run of another workflow's second version keeps no version of this one.
  await storeWorkflow(api, key, "other", pause(1));
  await storeWorkflow(api, key, "other", pause(3600));
  await startStored(api, key, { name: "other" });
  const ended = (await startStored(api, key, { name: "long" })).body.run;
  await api.send("POST", `/v1/runs/${ended.id}/cancel`, { key, body: {} });
  const starts = (name: string, version?: number) =>
    triggersDo(api, key, "put", {
      name: `${name}-${version ?? "newest"}`,
      on: { everySeconds: 86_400 },
      start: { serviceId: "managed-workflows", operationId: "start", input: { name, version } },
    });
  await storeWorkflow(api, key, "long", pause(2));
  await Promise.all([starts("long", 3), starts("long"), starts("other", 2)]);
  for (let seconds = 3; seconds <= 105; seconds++) await storeWorkflow(api, key, "long", pause(seconds));
  const get = async (version: number) =>
    (await invokeWorkflows(api, key, "get", { name: "long", version })).status;
  expect(await get(1)).toBe(200);
  expect(await get(2)).toBe(404);
  expect(await get(3)).toBe(200);
  expect(await get(4)).toBe(404);
  expect(await get(7)).toBe(200);
  const retried = await api.send("POST", `/v1/runs/${ended.id}/retry`, { key, body: {} });
  expect(retried.body.error).toMatchObject({ status: 409, code: "state_conflict" });
  const fresh = await api.send("POST", `/v1/runs/${ended.id}/retry`, {
    key,
    body: { input: { name: "long" } },
  });
  expect(fresh.body.run).toMatchObject({ retryOf: ended.id, workflow: { name: "long", version: 106 } });
  expect((await api.send("GET", `/v1/runs/${run.id}`, { key })).body.run.workflow.version).toBe(1);
  await triggersDo(api, key, "delete", { name: "long-3" });
  await storeWorkflow(api, key, "long", pause(106));
  expect(await Promise.all([get(1), get(3)])).toEqual([200, 404]);
});

test("replays a put and a start under their idempotency keys", async () => {
  const { key } = await createPayingKey(api, 1000);
  const input = { name: "again", workflow: { name: "Again", steps: pause(1) } };
  const idempotencyKey = "stored-put-once";
  const first = await invokeWorkflows(api, key, "put", input, { idempotencyKey });
  await storeWorkflow(api, key, "again", pause(2));
  const replay = await invokeWorkflows(api, key, "put", input, { idempotencyKey });
  expect(replay.headers.get("idempotent-replayed")).toBe("true");
  expect(replay.body).toEqual(first.body);
  const body = { serviceId: "managed-workflows", operationId: "start", input: { name: "again" } };
  const start = () => api.send("POST", "/v1/runs", { key, body, idempotencyKey: "stored-start-once" });
  const started = await start();
  await storeWorkflow(api, key, "again", pause(3));
  const repeated = await start();
  expect(repeated.headers.get("idempotent-replayed")).toBe("true");
  expect(repeated.body.run).toMatchObject({ id: started.body.run.id, workflow: { version: 2 } });
  const list = await api.send("GET", "/v1/runs?operationId=start", { key });
  expect(list.body.runs).toHaveLength(1);
});

test("lets a key start stored workflows that may not run inline ones", async () => {
  const { key } = await createPayingKey(api, 1000);
  await storeWorkflow(api, key, "only", pause(3600));
  const starter = await api.createChild(key, {
    allowedOperations: ["runs.create.managed-workflows.start", "runs.retry", "runs.cancel", "runs.read"],
  });
  const { run } = (await startStored(api, starter.key, { name: "only" })).body;
  expect(run).toMatchObject({ name: "only", workflow: { name: "only", version: 1 } });
  const inline = { name: "Inline", steps: pause(1) };
  const execute = { serviceId: "managed-workflows", operationId: "execute", input: { workflow: inline } };
  const refused = await api.send("POST", "/v1/runs", { key: starter.key, body: execute });
  expect(refused.body.error).toMatchObject({ status: 403, code: "operation_not_allowed" });
  await api.send("POST", `/v1/runs/${run.id}/cancel`, { key: starter.key, body: {} });
  const corrected = await api.send("POST", `/v1/runs/${run.id}/retry`, {
    key: starter.key,
    body: { workflow: inline },
  });
  expect(corrected.body.error).toMatchObject({ status: 400, issues: [{ path: "body.workflow" }] });
  const put = await invokeWorkflows(api, starter.key, "put", { name: "only", workflow: inline });
  expect(put.body.error).toMatchObject({ status: 403 });
});
