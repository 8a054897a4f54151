import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { signUpAndIn } from "#server/testing/console.ts";
import { startNetwork } from "#server/testing/network.ts";
import { startWithStandby } from "#server/testing/standby.ts";

const database = await startWithStandby();
const network = await startNetwork(database.standbyUrl);
const api = await startApi({
  database: { url: database.url, drop: () => undefined },
  settings: { replicaUrl: network.url() },
});
const standby = postgres(database.standbyUrl(), { max: 1 });
afterAll(() => standby.end());
const member = await signUpAndIn(api);

/** How often the standby's sessions have last been asked for usage: an answer of the primary's changes nothing there. */
async function readsOfStandby(): Promise<number> {
  const rows = await standby`
    select from pg_stat_activity where query like '%usage_by(%' and pid <> pg_backend_pid()`;
  return rows.length;
}

async function createProject(name: string) {
  const { status } = await member.mutate("projects.create", { name });
  expect(status).toBe(200);
}

async function listed(): Promise<string[]> {
  const { status, data } = await member.query("auditEvents.list", { operation: "projects.create" });
  expect(status).toBe(200);
  return data.auditEvents.map(({ id }: { id: string }) => id);
}

test("the console reads audit events and usage from the standby, and keys from the primary", async () => {
  await createProject("First");
  await expect.poll(listed).toHaveLength(1);
  const root = await api.createRootKey();
  expect((await api.send("GET", "/v1/usage", { key: root.key })).status).toBe(200);
  expect(await readsOfStandby()).toBe(0);
  await expect
    .poll(async () => {
      await createProject(`Second ${performance.now()}`);
      expect((await member.query("usage.read")).status).toBe(200);
      return readsOfStandby();
    })
    .toBeGreaterThan(0);
});

test("reads the primary when the standby falls over five seconds behind", async () => {
  const before = (await listed()).length;
  await standby`select pg_wal_replay_pause()`;
  await createProject("While replay stands");
  expect(await listed()).toHaveLength(before);
  await expect.poll(async () => (await listed()).length, { timeout: 20_000 }).toBe(before + 1);
  await standby`select pg_wal_replay_resume()`;
});

test("answers from the primary in time when the standby answers nothing", async () => {
  const before = (await listed()).length;
  network.cut();
  await createProject("While the network is cut");
  const started = performance.now();
  expect(await listed()).toHaveLength(before + 1);
  expect(performance.now() - started).toBeLessThan(5000);
  network.restore();
  network.reset();
  await expect.poll(async () => (await listed()).length).toBe(before + 1);
});
