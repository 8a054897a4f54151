import { once } from "node:events";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { startReadyNode } from "#server/testing/children.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { freezeAtTable } from "#server/testing/frozen-process.ts";
import { processPath } from "#server/testing/program-path.ts";
import { createRun, runWith, startRuns } from "#server/testing/runs.ts";

const api = await startApi();

test("asks people once though a worker that has lost its run goes on with its request", async () => {
  const { key } = await createPayingKey(api, 100);
  const name = unique("worker");
  const env = { ...process.env, PGAPPNAME: name };
  const program = processPath("run-worker");
  const { child } = await startReadyNode([program, api.databaseUrl, tmpdir(), "1"], { env });
  const workflow = { name: "Ask", steps: [{ id: "ask", type: "approval", summary: "Go on." }] };
  const execute = { serviceId: "managed-workflows", operationId: "execute", input: { workflow } };
  const { first } = await freezeAtTable(
    api.platform.database.client,
    { name, child },
    { table: "approvals", mode: "share" },
    () => createRun(api, key, execute),
  );
  const { id } = (await first).body.run;
  await startRuns(api);
  await runWith(api, key, id, "awaiting_approval");
  child.kill("SIGCONT");
  child.kill("SIGTERM");
  await once(child, "exit");
  const { approvals } = await api.mustSend(200, "GET", "/v1/approvals", { key });
  expect(approvals).toMatchObject([{ runId: id, status: "pending" }]);
});
