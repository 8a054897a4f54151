import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { invokeMemory } from "#server/testing/credits.ts";
import { createRun, runWith, startRuns } from "#server/testing/runs.ts";
import { createStarter } from "#server/testing/workflows.ts";

const api = await startApi();
const worker = await startRuns(api);
afterAll(() => worker.stop());

const memory = (id: string, operationId: string, input: unknown) => ({
  id,
  type: "invoke",
  serviceId: "managed-memory",
  operationId,
  input,
});
const keep = memory("keep", "put", { name: "kept", content: "{% input.content %}" });
const find = (name: string) => memory("find", "get", { name });
const flow = (...steps: unknown[]) => ({ name: "Retried", steps });
const WAITING = flow({ id: "wait", type: "wait", seconds: 604_800 });

const retry = (key: string, runId: string, body: unknown = {}, idempotencyKey?: string) =>
  api.send("POST", `/v1/runs/${runId}/retry`, { key, body, ...(idempotencyKey && { idempotencyKey }) });
const cancel = (key: string, runId: string) =>
  api.send("POST", `/v1/runs/${runId}/cancel`, { key, body: {} });

/** Returns a cancelled run that had waited for a week. */
async function cancelledRun({ key, start }: Awaited<ReturnType<typeof createStarter>>): Promise<string> {
  const id = await start(WAITING);
  await expect.poll(async () => (await cancel(key, id)).body.run.status).toBe("cancelled");
  return id;
}

test("continues from a step of a corrected workflow, keeps earlier steps and does not charge them again", async () => {
  const { key, start } = await createStarter(api);
  const before = await start(flow(keep, find("lost")), { content: "Once" });
  const failed = await runWith(api, key, before, "failed");
  expect(failed).toMatchObject({ chargedCredits: 1, error: { code: "not_found", step: "steps.find" } });

  const idempotencyKey = "retry-corrected";
  const body = { fromStep: "steps.find", workflow: flow(keep, find("kept")) };
  const retried = await retry(key, before, body, idempotencyKey);
  expect([retried.status, retried.body.run.status]).toEqual([202, "queued"]);
  expect(retried.body.run.timeline.at(-1)).toMatchObject({
    data: { retryOf: before, fromStep: "steps.find", finishedSteps: ["steps.keep"] },
  });
  const replayed = await retry(key, before, body, idempotencyKey);
  expect(replayed.headers.get("idempotent-replayed")).toBe("true");
  expect(replayed.body.run.id).toBe(retried.body.run.id);
  const run = await runWith(api, key, retried.body.run.id, "succeeded");
  expect(run).toMatchObject({
    input: { workflow: body.workflow, input: { content: "Once" } },
    result: { output: { memory: { content: "Once" } } },
  });
  expect(run.timeline.map(({ step }: { step: string | null }) => step)).not.toContain("steps.keep");
  const { runs } = (await api.send("GET", "/v1/runs", { key })).body;
  expect(runs.map(({ id }: { id: string }) => id)).toEqual([run.id, before]);
  expect((await runWith(api, key, before, "failed")).timeline).toEqual(failed.timeline);
});

test.each([
  [
    "another id",
    flow({ ...keep, id: "store" }, find("kept")),
    "steps.0",
    '"store" (invoke) stands where "keep"',
  ],
  [
    "another type",
    flow({ id: "keep", type: "wait", seconds: 0 }, find("kept")),
    "steps.0",
    '"keep" (wait) stands where "keep" (invoke) stood',
  ],
  ["another order", flow(find("kept"), keep), "steps.0", '"find" (invoke) stands where "keep"'],
  [
    "a further step",
    flow(keep, { ...keep, id: "again" }, find("kept")),
    "steps.1",
    '"again" (invoke) stands where "find"',
  ],
  ["no such step", flow(keep), "steps.1", '"find" (invoke) is missing here'],
])("refuses a corrected workflow that has %s before the step", async (_, workflow, path, message) => {
  const { key, start } = await createStarter(api);
  const before = await start(flow(keep, find("lost")), { content: "Once" });
  await runWith(api, key, before, "failed");
  const refused = await retry(key, before, { fromStep: "steps.find", workflow });
  expect(refused.body.error).toMatchObject({
    status: 400,
    code: "invalid_request",
    issues: [{ path: `body.workflow.${path}`, message: expect.stringContaining(message) }],
  });
});

test("keeps the steps of a map's other items, and so refuses to change any step of the map", async () => {
  const { key, start } = await createStarter(api);
  const each = (...steps: unknown[]) =>
    flow({ id: "each", type: "map", items: ["kept", "lost"], concurrency: 1, steps });
  await invokeMemory(api, key, "put", { name: "kept", content: "Found" });
  const after = memory("after", "list", {});
  const before = await start(each(find("{% item %}"), after));
  const { error } = await runWith(api, key, before, "failed");
  expect(error.step).toBe("steps.each[1].find");
  const changed = each(find("{% item %}"), { id: "after", type: "wait", seconds: 0 });
  const refused = await retry(key, before, { fromStep: error.step, workflow: changed });
  expect(refused.body.error.issues).toMatchObject([{ path: "body.workflow.steps.0.steps.1" }]);
  const corrected = each(find("kept"), after);
  const retried = await retry(key, before, { fromStep: error.step, workflow: corrected });
  const run = await runWith(api, key, retried.body.run.id, "succeeded");
  const steps = run.timeline.map(({ step }: { step: string | null }) => step);
  expect(steps).toContain("steps.each[1].after");
  expect(steps).not.toContain("steps.each[0].after");
});

test("accepts another input if no step is kept, and refuses an invalid one", async () => {
  const { key } = await createStarter(api);
  const named = { serviceId: "managed-memory", operationId: "export" };
  const { body } = await createRun(api, key, { ...named, input: {} });
  await runWith(api, key, body.run.id, "succeeded");
  const refusals: [unknown, string][] = [
    [{ input: { nonsense: 1 } }, "body.input.nonsense"],
    [{ input: {}, fromStep: "run" }, "body.input"],
    [{ input: {}, workflow: WAITING }, "body.workflow"],
    [{ workflow: WAITING }, "body.workflow"],
    [{ fromStep: "steps.none" }, "body.fromStep"],
  ];
  for (const [sent, path] of refusals) {
    const refused = await retry(key, body.run.id, sent);
    expect([refused.status, refused.body.error.issues?.[0].path]).toEqual([400, path]);
  }
  const retried = await retry(key, body.run.id, { input: {} });
  expect((await runWith(api, key, retried.body.run.id, "succeeded")).input).toEqual({});
});

test("lets a key retry only runs that it could create itself", async () => {
  const starter = await createStarter(api);
  const { key, root } = starter;
  const id = await cancelledRun(starter);
  const scopes = ["runs:read", "runs:write"];
  const narrow = await api.createChild(root, { scopes, allowedOperations: ["runs.retry", "runs.read"] });
  expect((await retry(narrow.key, id)).body.error).toMatchObject({
    status: 403,
    code: "operation_not_allowed",
    check: "operation",
    keyId: narrow.apiKey.id,
  });
  const elsewhere = await api.createChild(root, {
    scopes: [...scopes, "api_keys:manage"],
    allowedServices: ["managed-memory"],
  });
  const below = await api.createChild(elsewhere.key, { scopes });
  expect((await retry(below.key, id)).body.error).toMatchObject({
    code: "service_not_allowed",
    keyId: elsewhere.apiKey.id,
  });
  const ada = await api.createChild(root, { endUser: "ada" });
  for (const other of [ada.key, (await createStarter(api)).key])
    expect((await retry(other, id)).body.error).toMatchObject({ status: 404, code: "not_found" });
  const live = await retry(key, id);
  expect((await retry(key, live.body.run.id)).body.error).toMatchObject({
    status: 409,
    code: "state_conflict",
  });
});

test("lets a thousand retries at once never exceed the live runs that a key allows", async () => {
  const starter = await createStarter(api, 10_000);
  const id = await cancelledRun(starter);
  const limited = await api.createChild(starter.root, { limits: { "runs.create": { maxConcurrent: 40 } } });
  // If the machine is overloaded, some calls get 503; a client repeats those.
  const served = async (nth: number) => {
    for (;;) {
      const answer = await retry(limited.key, id, {}, `retry-number-${nth}`);
      if (answer.status !== 503) return answer;
    }
  };
  const answers = await Promise.all(Array.from({ length: 1000 }, (_, nth) => served(nth)));
  const refused = answers.filter(({ status }) => status !== 202);
  expect(answers.length - refused.length).toBe(40);
  for (const { body } of refused) expect(body.error.code).toBe("limit_exhausted");
});

test("retries and cancels many runs, each on the key's limits, and one refusal stops no other", async () => {
  const starter = await createStarter(api);
  const { key, root } = starter;
  const [one, two] = [await cancelledRun(starter), await cancelledRun(starter)];
  const live = await starter.start(WAITING);
  const missing = one.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  const bulk = (secret: string, action: string, runIds: string[], idempotencyKey = "bulk-of-runs") =>
    api.send("POST", "/v1/runs/bulk", { key: secret, body: { action, runIds }, idempotencyKey });

  const retried = await bulk(key, "retry", [one, live, missing, two]);
  expect(retried.status).toBe(200);
  expect(retried.body.results).toMatchObject([
    { runId: one, ok: true, newRunId: expect.stringMatching(/^run_/), error: null },
    { runId: live, ok: false, newRunId: null, error: { code: "state_conflict" } },
    { runId: missing, ok: false, error: { code: "not_found" } },
    { runId: two, ok: true },
  ]);
  const replayed = await bulk(key, "retry", [one, live, missing, two]);
  expect(replayed.body.results).toEqual(retried.body.results);
  expect((await api.send("GET", "/v1/runs", { key })).body.runs).toHaveLength(5);

  const waiting = [retried.body.results[0].newRunId, retried.body.results[3].newRunId, live];
  const limited = await api.createChild(root, { limits: { "runs.cancel": { requestsPerMinute: 2 } } });
  const { results } = (await bulk(limited.key, "cancel", waiting)).body;
  expect(results.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true, false]);
  expect(results[2].error).toMatchObject({
    code: "limit_exhausted",
    retryAfterSeconds: expect.any(Number),
  });
  const narrow = await api.createChild(root, { allowedOperations: ["runs.bulk"] });
  const denied = (await bulk(narrow.key, "cancel", [live])).body.results;
  expect(denied).toMatchObject([{ ok: false, error: { code: "operation_not_allowed" } }]);
  const twice = await bulk(key, "cancel", [live, live], "bulk-of-twice");
  expect(twice.body.error).toMatchObject({ status: 400, issues: [{ path: "body.runIds" }] });
});
