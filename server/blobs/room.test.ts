import { expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { onCleanup } from "#server/testing/cleanup.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createRun, runWith, startRuns } from "#server/testing/runs.ts";
import { testSettings } from "#server/testing/settings.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import { provisionDatabase, startTransfer, uploadPart } from "#server/testing/transfers.ts";

const tenants = await startTenantCluster();
onCleanup(() => tenants.drop());
// Room for one blob of each kind.
const storage = { ...testSettings("").storage, transfersBytes: 1000, artifactsBytes: 1000 };
const api = await startApi({ settings: { tenantClusters: [tenants.cluster], storage } });
const { client } = api.platform.database;

test("has room for an archive's part that could not be recorded at first", async () => {
  const key = await provisionDatabase(api);
  const id = await startTransfer(api, key, { direction: "import" });
  const upload = () => uploadPart(api, key, id, { partNumber: 1, bytes: Buffer.alloc(600) });
  const refused = await client.begin(async (tx) => {
    await tx`lock table database_transfer_parts in share mode`;
    return upload();
  });
  expect(refused).toMatchObject({ status: 503, body: { error: { code: "service_unavailable" } } });
  expect(await upload()).toMatchObject({ status: 200, body: { part: { sizeBytes: 600 } } });
});

test("has room for a run's file that could not be recorded at first", async () => {
  const { key } = await createPayingKey(api, 100);
  const file = { name: "report.txt", mediaType: "text/plain", content: "x".repeat(600) };
  const workflow = { name: "File", steps: [{ id: "file", type: "artifact", ...file }] };
  const execute = { serviceId: "managed-workflows", operationId: "execute", input: { workflow } };
  await startRuns(api);
  const id = await client.begin(async (tx) => {
    await tx`lock table artifacts in share mode`;
    const { id } = (await createRun(api, key, execute)).body.run;
    const fence = async () => {
      const [run] = await client<{ fence: number }[]>`
        select fence from runs where id = ${uuidOf("run", id)}`;
      return run?.fence;
    };
    // The run has been interrupted, and has tried again.
    await expect.poll(fence).toBeGreaterThan(1);
    return id;
  });
  expect((await runWith(api, key, id, "succeeded")).artifactIds).toHaveLength(1);
});
