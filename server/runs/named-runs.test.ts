import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
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

test("keeps no name in clear where the privacy tier seals what a run takes", async () => {
  const strict = await api.createChild(key, { privacyTier: "strict" });
  expect((await startRun(workflow("Secret plan", done), { key: strict.key })).name).toBeNull();
  expect(await names("search=Secret")).toEqual([]);
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
