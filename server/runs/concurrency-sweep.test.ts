import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createRun, runWith, startRuns } from "#server/testing/runs.ts";

const api = await startApi();
const worker = await startRuns(api);
afterAll(() => worker.stop());

test("keeps a key for a run that is being created while keys are swept that no run has used for a day", async () => {
  const { key } = await createPayingKey(api, 100);
  const put = {
    serviceId: "managed-memory",
    operationId: "put",
    input: { content: "Swept." },
    concurrency: [{ key: "crm", limit: 1 }],
    tags: ["swept"],
  };
  const { client } = api.platform.database;
  const before = await createRun(api, key, put);
  await runWith(api, key, before.body.run.id, "succeeded");
  const twoDaysPass = () => client`update concurrency_keys set used_at = used_at - interval '2 days'`;
  await twoDaysPass();

  // The run's creation is stopped between its slots and its tags.
  const other = postgres(api.databaseUrl, { max: 1 });
  const locked = await other.reserve();
  await locked`begin`;
  await locked`lock table run_tags in exclusive mode`;
  const created = createRun(api, key, put);
  const waiting = async () =>
    (
      await client`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    ).length;
  await expect.poll(waiting).toBe(1);
  await client`select sweep_slots()`;
  await locked`rollback`;
  locked.release();
  await other.end();

  const { body } = await created;
  expect(await runWith(api, key, body.run.id, "succeeded")).toMatchObject({ waitingFor: null });
  // A worker may still be processing the key that the run has freed.
  async function keysAfterTwoDays(): Promise<number> {
    await twoDaysPass();
    await client`select sweep_slots()`;
    return (await client`select from concurrency_keys`).length;
  }
  await expect.poll(keysAfterTwoDays).toBe(0);
});
