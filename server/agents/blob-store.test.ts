import { expect, test } from "vitest";
import { results, startAgents } from "#server/testing/agents.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createRun, runWith } from "#server/testing/runs.ts";
import { startS3 } from "#server/testing/s3.ts";

const s3 = await startS3();
const { api, asked, turns, start } = await startAgents({ settings: { blobs: s3.settings } });

test("an agent and a workflow store their files once the blob store is back, and see no failure", async () => {
  const { key } = await createPayingKey(api, 500);
  const file = { name: "report.md", mediaType: "text/markdown", content: "# Done" };
  turns({ toolCalls: [{ name: "write_artifact", arguments: file }] }, { text: "It is in report.md." });
  const workflow = { name: "File", steps: [{ id: "file", type: "artifact", ...file }] };
  s3.state.failing = true;
  const execute = { serviceId: "managed-workflows", operationId: "execute", input: { workflow } };
  const ids = [await start(key, {}), await createRun(api, key, execute)].map(({ body }) => body.run.id);
  // Each attempt at a file sends two requests, so that the runs have been interrupted.
  await expect.poll(() => s3.state.refused).toBeGreaterThan(4);
  s3.state.failing = false;
  for (const id of ids) {
    expect((await runWith(api, key, id, "succeeded")).artifactIds).toHaveLength(1);
    const { artifacts } = await api.mustSend(200, "GET", `/v1/artifacts?runId=${id}`, { key });
    const content = await api.mustSend(200, "GET", `/v1/artifacts/${artifacts[0].id}/content`, { key });
    expect(String(content)).toBe("# Done");
  }
  expect(results(asked)).toMatchObject([{ data: { artifact: { name: "report.md" } } }]);
});
