import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey, invokeMemory } from "#server/testing/credits.ts";
import { createRun, runWith, startRuns } from "#server/testing/runs.ts";

const api = await startApi();
const worker = await startRuns(api);
afterAll(() => worker.stop());

test("exports memories as one artifact, a line each", async () => {
  const { key } = await createPayingKey(api, 200);
  const contents = Array.from({ length: 60 }, (_, nth) => `memory ${nth}`);
  for (const content of contents) await invokeMemory(api, key, "put", { content });
  const created = await createRun(api, key, {
    serviceId: "managed-memory",
    operationId: "export",
    input: {},
  });
  const run = await runWith(api, key, created.body.run.id, "succeeded");
  expect(run.chargedCredits).toBe(5);
  expect(run.artifactIds).toEqual([run.result.artifact.id]);
  const path = `/v1/artifacts/${run.result.artifact.id}/content`;
  const download = await fetch(`${api.origin}${path}`, {
    headers: { authorization: `Bearer ${key}`, accept: "application/octet-stream" },
  });
  const lines = (await download.text()).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).content)).toEqual(contents);
});
