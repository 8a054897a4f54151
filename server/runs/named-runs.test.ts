import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { signUpAndIn } from "#server/testing/console.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { runWith, startRuns } from "#server/testing/runs.ts";

const api = await startApi();
const worker = await startRuns(api);
afterAll(() => worker.stop());
const { key } = await createPayingKey(api, 1000);

const workflow = (name: string, steps: unknown[]) => ({ workflow: { name, steps } });
const done = [{ id: "pause", type: "wait", seconds: 0 }];

async function startRun(input: unknown, { key: by = key, operation = "execute" } = {}) {
  const body = { serviceId: "managed-workflows", operationId: operation, input };
  const answer = await api.send("POST", "/v1/runs", { key: by, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return answer.body.run;
}

const list = async (query: string) => (await api.send("GET", `/v1/runs?${query}`, { key })).body.runs;
const names = async (query: string) => (await list(query)).map(({ name }: { name: string }) => name);

test("names a run by its workflow, and finds it by a part of that and by its time", async () => {
  const first = await startRun(workflow("Restock the shop", done));
  await startRun(workflow("Close the books", done));
  expect(first).toMatchObject({ name: "Restock the shop", retryOf: null, parentId: null });
  expect(await names("search=RESTOCK")).toEqual(["Restock the shop"]);
  expect(await names("serviceId=managed-workflows&operationId=execute")).toHaveLength(2);
  expect(await names("operationId=validate")).toEqual([]);
  expect(await names(`to=${first.createdAt}`)).toEqual([]);
  expect(await names(`from=${first.createdAt}`)).toEqual(["Close the books", "Restock the shop"]);
  const reversed = await api.send("GET", "/v1/runs?from=2027-01-02T00:00:00Z&to=2027-01-01T00:00:00Z", {
    key,
  });
  expect(reversed.status).toBe(400);
});

test("stores no name in clear if the privacy tier seals a run's input", async () => {
  const strict = await api.createChild(key, { privacyTier: "strict" });
  expect((await startRun(workflow("Secret plan", done), { key: strict.key })).name).toBeNull();
  expect(await names("search=Secret")).toEqual([]);
});

test("leaves timelines out of lists where they are not wanted", async () => {
  await startRun(workflow("Quiet", done));
  const [quiet] = await list("search=Quiet&timeline=exclude");
  expect(quiet.timeline).toEqual([]);
  expect((await list("search=Quiet"))[0].timeline).not.toEqual([]);
});

test("retries many from where each failed", async () => {
  const lost = { serviceId: "managed-memory", operationId: "get", input: { name: "lost" } };
  const steps = [...done, { id: "find", type: "invoke", ...lost }];
  const run = await startRun(workflow("Lost", steps));
  await runWith(api, key, run.id, "failed");
  const body = { action: "retry", runIds: [run.id], retryFrom: "failedStep" };
  const { results } = (await api.send("POST", "/v1/runs/bulk", { key, body })).body;
  const again = await runWith(api, key, results[0].newRunId, "failed");
  const taken = again.timeline.find(({ data }: { data: { fromStep?: string } | null }) => data?.fromStep);
  expect(taken.data).toMatchObject({ fromStep: "steps.find", finishedSteps: ["steps.pause"] });
});

test("returns a step's output to members of its account, and to nobody of another one", async () => {
  const ada = await signUpAndIn(api);
  const steps = [
    {
      id: "keep",
      type: "invoke",
      serviceId: "managed-memory",
      operationId: "put",
      input: { content: "Tea" },
    },
  ];
  const body = { serviceId: "managed-workflows", operationId: "execute", input: workflow("Keep", steps) };
  const { run } = (await ada.mutate("runs.create", body)).data;
  const read = { runId: run.id, name: "steps.keep" };
  await expect
    .poll(async () => (await ada.query("runs.read", { runId: run.id })).data.run.status)
    .toBe("succeeded");
  expect((await ada.query("runs.steps.read", read)).data.step).toMatchObject({
    name: "steps.keep",
    output: { result: { memory: { content: "Tea" } } },
  });
  expect((await ada.query("runs.steps.read", { ...read, name: "steps.lost" })).data.step).toBeNull();
  const eve = await signUpAndIn(api);
  expect(await eve.query("runs.steps.read", read)).toMatchObject({
    status: 404,
    error: { code: "not_found" },
  });
});

test("leads from a run to those that its steps created, and to its retries", async () => {
  const input = { serviceId: "managed-memory", operationId: "put", input: { content: "Tea" } };
  const steps = [{ id: "child", type: "operation", operation: "runs.create", body: input }];
  const parent = await startRun(workflow("Parent", steps));
  const { timeline } = await runWith(api, key, parent.id, "succeeded");
  const sent = timeline.find(({ data }: { data: { status?: string } }) => data?.status === "sent");
  expect(sent.data.requestId).toMatch(/^req_/);
  const events = await api.send("GET", `/v1/audit-events?requestId=${sent.data.requestId}`, { key });
  const called = events.body.auditEvents.map(({ operation }: { operation: string }) => operation);
  expect(called).toContain("runs.create");
  const [child, ...others] = await list(`parentId=${parent.id}`);
  expect(others).toEqual([]);
  expect(child).toMatchObject({ parentId: parent.id, operationId: "put", name: null });
  const retried = await api.send("POST", `/v1/runs/${parent.id}/retry`, { key, body: {} });
  expect(retried.body.run).toMatchObject({ retryOf: parent.id, name: "Parent" });
  expect((await list(`retryOf=${parent.id}`)).map(({ id }: { id: string }) => id)).toEqual([
    retried.body.run.id,
  ]);
});
