import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey, invokeMemory } from "#server/testing/credits.ts";
import { createRun, runWith, startRuns } from "#server/testing/runs.ts";

const api = await startApi();
const worker = await startRuns(api);
afterAll(() => worker.stop());

const put = (content: string) => ({ serviceId: "managed-memory", operationId: "put", input: { content } });

interface Entry {
  seq: number;
  type: string;
  step: string | null;
  data: { status: string };
}

/** Summarises the timeline. */
const shape = (run: { timeline: Entry[] }) =>
  run.timeline.map(({ seq, type, step, data }) => [seq, type, step, data.status]);

test("runs an operation durably: answers 202 at once, then executes and charges it, with a timeline", async () => {
  const { key } = await createPayingKey(api, 10);
  const created = await createRun(api, key, put("from a run"));
  expect(created.status).toBe(202);
  expect(created.body.run).toMatchObject({
    serviceId: "managed-memory",
    operationId: "put",
    status: "queued",
    input: { content: "from a run" },
    result: null,
    error: null,
    attempt: 0,
    maxAttempts: 1,
    artifactIds: [],
    chargedCredits: 0,
    startedAt: null,
    finishedAt: null,
  });
  const run = await runWith(api, key, created.body.run.id, "succeeded");
  expect(run).toMatchObject({ attempt: 1, progress: 1, chargedCredits: 1, error: null });
  expect(run.result.memory.content).toBe("from a run");
  expect(shape(run)).toEqual([
    [1, "state", null, "queued"],
    [2, "state", null, "running"],
    [3, "step", "invoke", "succeeded"],
    [4, "state", null, "succeeded"],
  ]);
  const { memories } = (await invokeMemory(api, key, "list", {})).body.result;
  expect(memories).toHaveLength(1);
  const { balance } = (await api.send("GET", "/v1/credits/balance", { key })).body;
  expect(balance).toMatchObject({ availableCredits: 9, reservedCredits: 0 });
});
