import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { signUpAndIn } from "#server/testing/console.ts";

const api = await startApi();
type Person = Awaited<ReturnType<typeof signUpAndIn>>;

const workflow = (seconds: number) => ({
  name: "Restock",
  steps: [{ id: "pause", type: "wait", seconds }],
});

async function put(person: Person, seconds: number, name = "restock") {
  const input = { name, workflow: workflow(seconds), inputSchema: { type: "object" } };
  const answer = await person.mutate("services.invoke", {
    serviceId: "managed-workflows",
    operationId: "put",
    input,
  });
  return answer.data.result.workflow;
}

test("shows people the stored workflows of their account, with their versions and runs", async () => {
  const ada = await signUpAndIn(api);
  const eve = await signUpAndIn(api);
  await put(ada, 3600);
  const start = {
    serviceId: "managed-workflows",
    operationId: "start",
    input: { name: "restock", input: {} },
  };
  await ada.mutate("runs.create", start);
  // Runs of another workflow or another account are not counted.
  for (const [person, name] of [
    [ada, "other"],
    [eve, "restock"],
  ] as const) {
    await put(person, 3600, name);
    await person.mutate("runs.create", { ...start, input: { name, input: {} } });
  }
  const { run } = (await ada.mutate("runs.create", start)).data;
  await ada.mutate("runs.cancel", { runId: run.id });
  const newest = await put(ada, 2);

  const list = (await ada.query("workflows.list", { search: "STOCK" })).data;
  expect(list).toEqual({ workflows: [{ ...newest, firstPutAt: expect.any(String) }], nextCursor: null });
  expect(Date.parse(list.workflows[0].firstPutAt)).toBeLessThan(Date.parse(newest.createdAt));
  for (const [sort, names] of [
    ["name", ["other", "restock"]],
    ["-name", ["restock", "other"]],
  ] as const)
    expect((await ada.query("workflows.list", { sort })).data.workflows).toMatchObject(
      names.map((name) => ({ name })),
    );
  expect((await ada.query("workflows.list", { status: "archived" })).data.workflows).toEqual([]);
  const read = (await ada.query("workflows.read", { workflowId: newest.id })).data;
  expect(read.workflow).toEqual(newest);
  expect(read.versions).toMatchObject([
    { version: 2, runs: 0, liveRuns: 0 },
    { version: 1, runs: 2, liveRuns: 1 },
  ]);
  const first = { workflowId: newest.id, version: "1" };
  expect((await ada.query("workflows.versions.read", first)).data).toMatchObject({
    workflow: { name: "restock", version: 1 },
    definition: workflow(3600),
    inputSchema: { type: "object" },
  });
  expect(await ada.query("workflows.versions.read", { ...first, version: "9" })).toMatchObject({
    status: 404,
  });

  const seen = (await eve.query("workflows.list", {})).data.workflows;
  expect(seen).toMatchObject([{ name: "restock", version: 1 }]);
  expect(await eve.query("workflows.read", { workflowId: newest.id })).toMatchObject({ status: 404 });
  expect(await eve.query("workflows.versions.read", first)).toMatchObject({ status: 404 });
});
