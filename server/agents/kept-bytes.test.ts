import { expect, test } from "vitest";
import { startAgents } from "#server/testing/agents.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { eventually } from "#server/testing/eventually.ts";
import { createRun } from "#server/testing/runs.ts";

const { api, turns, start } = await startAgents();

test("ends a run whose tools have answered more than a run may keep", async () => {
  const { key } = await createPayingKey(api, 1000);
  const workflow = { name: "Later", steps: [{ id: "wait", type: "wait", seconds: 1 }] };
  const later = {
    serviceId: "managed-workflows",
    operationId: "execute",
    input: { workflow, input: { text: "x".repeat(900_000) } },
    startAt: new Date(Date.now() + 3_600_000).toISOString(),
  };
  for (let nth = 0; nth < 4; nth++) expect((await createRun(api, key, later)).status).toBe(202);
  // Each call answers 3.6 MB.
  const list = { name: "runs_list", arguments: { limit: 5 } };
  turns({ toolCalls: Array.from({ length: 16 }, () => list) });
  const { body } = await start(key, { tools: ["runs.list"], maxSteps: 3 });
  const run = await eventually(async () => {
    const { run } = await api.mustSend(200, "GET", `/v1/runs/${body.run.id}`, { key });
    return run.finishedAt === null ? undefined : run;
  });
  expect(run).toMatchObject({ status: "failed", error: { code: "size_limit_exceeded", step: null } });
  expect(run.error.message).toContain("67108864 bytes");
  expect(run.keptBytes).toBeGreaterThan(67_108_864);
  // Calls that are made side by side are stored all the same.
  expect(run.keptBytes).toBeLessThan(90_000_000);
});
