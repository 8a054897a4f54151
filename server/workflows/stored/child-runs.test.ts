import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { runWith, startRuns } from "#server/testing/runs.ts";
import { invokeWorkflows, startStored, storeWorkflow } from "#server/testing/stored-workflows.ts";

const api = await startApi();
const worker = await startRuns(api, { slots: 8, perAccount: 8 });
afterAll(() => worker.stop());

const child = (id: string, name: string, more: object = {}) => ({ id, type: "run", name, ...more });
const pause = (seconds: number) => [{ id: "pause", type: "wait", seconds }];

async function begin() {
  const { key } = await createPayingKey(api, 1000);
  const start = async (name: string, input?: unknown) => {
    const { status, body } = await startStored(api, key, { name, input });
    expect(status, JSON.stringify(body)).toBe(202);
    return body.run.id;
  };
  const childrenOf = async (id: string) =>
    (await api.send("GET", `/v1/runs?parentId=${id}`, { key })).body.runs;
  const balance = async () => (await api.send("GET", "/v1/credits/balance", { key })).body.balance;
  return { key, start, childrenOf, balance };
}

/** Waits until a run's only child has this status, and returns it. */
async function childWith(
  { key, childrenOf }: Pick<Awaited<ReturnType<typeof begin>>, "key" | "childrenOf">,
  id: string,
  status: string,
) {
  await expect.poll(async () => (await childrenOf(id)).length).toBe(1);
  const [run] = await childrenOf(id);
  return runWith(api, key, run.id, status);
}

test("runs a stored workflow as a step, with its input, output and version", async () => {
  const { key, start, childrenOf, balance } = await begin();
  await storeWorkflow(api, key, "double", pause(0), { output: "{% input.n * 2 %}" });
  const first = await storeWorkflow(api, key, "double", pause(0), { output: "{% input.n * 20 %}" });
  const steps = [
    child("newest", "double", { input: { n: "{% input.n %}" } }),
    child("first", "double", { version: 1, input: { n: "{% steps.newest %}" } }),
    {
      id: "each",
      type: "map",
      items: [1, 2, 3],
      concurrency: 3,
      steps: [child("one", "double", { version: 1, input: { n: "{% item %}" } })],
    },
  ];
  await storeWorkflow(api, key, "parent", steps, { output: "{% [steps.first, steps.each] %}" });
  const id = await start("parent", { n: 3 });
  const run = await runWith(api, key, id, "succeeded");
  expect(run.result).toEqual({ output: [120, 2, 4, 6] });
  const children = await childrenOf(id);
  expect(children).toHaveLength(5);
  const versions = children.map(({ workflow }: { workflow: { version: number } }) => workflow.version);
  expect(versions.sort()).toEqual([1, 1, 1, 1, first.version]);
  const waits = run.timeline.find(
    ({ step, data }: { step: string; data: { runId?: string } }) => step === "steps.newest" && data.runId,
  );
  expect(children.map((one: { id: string }) => one.id)).toContain(waits.data.runId);
  // Three puts, six runs of two credits each.
  expect(await balance()).toMatchObject({ availableCredits: 1000 - 3 - 12, reservedCredits: 0 });
});

test("fails with the child run's error, and retries it if the step says so", async () => {
  const { key, start, childrenOf } = await begin();
  const lost = {
    id: "find",
    type: "invoke",
    serviceId: "managed-memory",
    operationId: "get",
    input: { name: "x" },
  };
  await storeWorkflow(api, key, "lost", [lost]);
  const retry = { maxAttempts: 2, backoffSeconds: 0, factor: 1, on: ["not_found"] };
  await storeWorkflow(api, key, "parent", [child("below", "lost", { retry })]);
  const id = await start("parent");
  const run = await runWith(api, key, id, "failed");
  expect(run.error).toMatchObject({ code: "not_found", step: "steps.below" });
  const children = await childrenOf(id);
  expect(children).toHaveLength(2);
  expect(run.error.message).toContain(`Run ${children[0].id} has failed`);
  await storeWorkflow(api, key, "missing", [child("below", "none")]);
  expect((await runWith(api, key, await start("missing"), "failed")).error).toMatchObject({
    code: "not_found",
    step: "steps.below",
  });
});

test("is cancelled with the run above it, all the way down", async () => {
  const here = await begin();
  const { key, start, balance } = here;
  await storeWorkflow(api, key, "leaf", pause(3600));
  await storeWorkflow(api, key, "middle", [child("leaf", "leaf")]);
  await storeWorkflow(api, key, "top", [child("middle", "middle")]);
  const top = await start("top");
  const middle = await childWith(here, top, "running");
  const leaf = await childWith(here, middle.id, "running");
  await api.send("POST", `/v1/runs/${top}/cancel`, { key, body: {} });
  await runWith(api, key, leaf.id, "cancelled");
  await runWith(api, key, middle.id, "cancelled");
  await runWith(api, key, top, "cancelled");
  await expect.poll(async () => (await balance()).reservedCredits).toBe(0);
});

test("ends with the run above it that fails or comes to its step's end", async () => {
  const here = await begin();
  const { key, start } = here;
  await storeWorkflow(api, key, "leaf", pause(3600));
  await storeWorkflow(api, key, "late", [child("leaf", "leaf", { timeoutSeconds: 5 })]);
  const late = await start("late");
  const failed = await runWith(api, key, late, "failed");
  expect(failed.error).toMatchObject({ code: "service_timeout", step: "steps.leaf" });
  await childWith(here, late, "cancelled");

  const wrong = {
    id: "wrong",
    type: "invoke",
    serviceId: "managed-memory",
    operationId: "get",
    input: { name: "x" },
  };
  const both = {
    id: "both",
    type: "map",
    items: [0, 1],
    concurrency: 2,
    steps: [
      {
        id: "which",
        type: "branch",
        cases: [{ when: "{% item = 0 %}", steps: [child("leaf", "leaf")] }],
        else: [{ id: "first", type: "wait", seconds: 1 }, wrong],
      },
    ],
  };
  await storeWorkflow(api, key, "half", [both]);
  const half = await start("half");
  await runWith(api, key, half, "failed");
  await childWith(here, half, "cancelled");
});

test("fails the step of a run whose child is cancelled by itself", async () => {
  const here = await begin();
  const { key, start } = here;
  await storeWorkflow(api, key, "leaf", pause(3600));
  await storeWorkflow(api, key, "top", [child("leaf", "leaf")]);
  const top = await start("top");
  const leaf = await childWith(here, top, "running");
  await api.send("POST", `/v1/runs/${leaf.id}/cancel`, { key, body: {} });
  expect((await runWith(api, key, top, "failed")).error).toMatchObject({
    code: "cancelled",
    step: "steps.leaf",
  });
});

test("goes five deep and no deeper", async () => {
  const { key, start, childrenOf } = await begin();
  await storeWorkflow(api, key, "endless", [child("again", "endless")]);
  const top = await start("endless");
  const run = await runWith(api, key, top, "failed");
  expect(run.error).toMatchObject({ code: "depth_limit_exceeded", step: "steps.again" });
  let [below] = await childrenOf(top);
  let depth = 0;
  for (; below; [below] = await childrenOf(below.id)) depth += 1;
  expect(depth).toBe(5);
});

test("runs child runs as the same caller, with the same access", async () => {
  const { key } = await begin();
  await storeWorkflow(api, key, "leaf", pause(0));
  const only = await api.createChild(key, {
    allowedOperations: ["runs.create.managed-workflows.execute", "runs.read"],
  });
  const input = { workflow: { name: "Inline", steps: [child("leaf", "leaf")] } };
  const body = { serviceId: "managed-workflows", operationId: "execute", input };
  const { run } = (await api.send("POST", "/v1/runs", { key: only.key, body })).body;
  expect((await runWith(api, key, run.id, "failed")).error).toMatchObject({
    code: "operation_not_allowed",
    step: "steps.leaf",
  });
  const mine = await api.send("POST", "/v1/runs", { key, body });
  const done = await runWith(api, key, mine.body.run.id, "succeeded");
  expect(done.workflow).toBeNull();
});

test("keeps the child runs of earlier steps when a run is retried from a later one", async () => {
  const { key, start, childrenOf } = await begin();
  const find = {
    id: "find",
    type: "invoke",
    serviceId: "managed-memory",
    operationId: "get",
    input: { name: "x" },
  };
  await storeWorkflow(api, key, "leaf", pause(0), { output: 7 });
  await storeWorkflow(api, key, "parent", [child("leaf", "leaf"), find], { output: "{% steps.leaf %}" });
  const id = await start("parent");
  await runWith(api, key, id, "failed");
  await storeWorkflow(api, key, "parent", pause(0));
  const put = { operationId: "put", input: { name: "x", content: "Found" } };
  await api.send("POST", "/v1/services/managed-memory/invoke", { key, body: put });
  const retry = await api.send("POST", `/v1/runs/${id}/retry`, { key, body: { fromStep: "steps.find" } });
  expect(retry.body.run.workflow.version).toBe(1);
  const run = await runWith(api, key, retry.body.run.id, "succeeded");
  expect(run.result).toEqual({ output: 7 });
  expect(await childrenOf(run.id)).toEqual([]);
});

test("continues from a step with a corrected version, if the steps before it are unchanged", async () => {
  const { key, start } = await begin();
  const find = (name: string) => ({
    id: "find",
    type: "invoke",
    serviceId: "managed-memory",
    operationId: "get",
    input: { name },
  });
  const keep = { id: "keep", type: "artifact", name: "a.txt", mediaType: "text/plain", content: "Once" };
  await storeWorkflow(api, key, "fix", [keep, find("lost")], { output: "{% steps.find.memory.content %}" });
  const id = await start("fix", { user: "Ada" });
  await runWith(api, key, id, "failed");
  const put = { operationId: "put", input: { name: "found", content: "Tea" } };
  await api.send("POST", "/v1/services/managed-memory/invoke", { key, body: put });
  const output = "{% steps.find.memory.content & input.user %}";
  await storeWorkflow(api, key, "fix", [keep, find("found")], { output });
  await storeWorkflow(api, key, "fix", [{ ...keep, id: "other" }, find("found")]);
  const retry = (body: object) => api.send("POST", `/v1/runs/${id}/retry`, { key, body });

  const answer = await retry({ fromStep: "steps.find", workflowVersion: 2 });
  expect(answer.body.run).toMatchObject({
    workflow: { version: 2 },
    input: { version: 2, input: { user: "Ada" } },
  });
  const run = await runWith(api, key, answer.body.run.id, "succeeded");
  expect(run.result).toEqual({ output: "TeaAda" });
  expect(run.artifactIds).toEqual([]);

  const changed = await retry({ fromStep: "steps.find", workflowVersion: 3 });
  expect(changed.body.error).toMatchObject({ status: 400, issues: [{ path: "body.workflowVersion" }] });
  expect(changed.body.error.issues[0].message).toContain('steps.0: "other" (artifact) stands where "keep"');
  expect((await retry({ workflowVersion: 3 })).body.run.workflow.version).toBe(3);
  expect((await retry({ workflowVersion: 9 })).status).toBe(404);
  expect((await retry({ workflowVersion: 2, input: { name: "fix" } })).status).toBe(400);
});

test("reports missing parts of a step of type run in validation", async () => {
  const { key } = await begin();
  const steps = [{ id: "below", type: "run", name: "No slug", version: 0 }];
  const { body } = await invokeWorkflows(api, key, "validate", { workflow: { name: "X", steps } });
  expect(body.result.valid).toBe(false);
  expect(body.result.issues.map(({ path }: { path: string }) => path)).toEqual([
    "steps.0.name",
    "steps.0.version",
  ]);
});
