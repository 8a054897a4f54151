import { expect, onTestFinished, test } from "vitest";
import { type Answered, startApi, unique } from "#server/testing/api.ts";
import { startTestCluster } from "#server/testing/cluster.ts";
import { canMount, smallDisk } from "#server/testing/small-disk.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import { provisionDatabase, queryRows, runActions } from "#server/testing/transfers.ts";

const MB = 1_048_576;

type Write = (name: string) => Promise<Answered>;

/**
 * Writes until the full disk has refused ten times, and repeats the refused writes once there is space; returns the
 * names of all.
 */
async function writeThroughFullDisk(disk: ReturnType<typeof smallDisk>, write: Write): Promise<string[]> {
  const names: string[] = [];
  const answers = new Map<string, Answered>();
  const refused = () => names.filter((name) => (answers.get(name)?.status ?? 0) >= 400);
  async function send() {
    const name = unique("full");
    names.push(name);
    answers.set(name, await write(name));
  }
  for (let n = 0; n < 5; n++) await send();
  disk.fill();
  while (refused().length < 10) await send();
  const errors = refused().map((name) => answers.get(name)?.body.error);
  expect(new Set(errors.map(({ status, code }) => `${status} ${code}`))).toEqual(
    new Set(["503 service_unavailable"]),
  );
  disk.free();
  for (const name of refused())
    await expect.poll(async () => (await write(name)).body).toMatchObject({ ok: true });
  return names.sort();
}

test.runIf(canMount)(
  "outlives a full disk of the platform's own database, and loses and doubles nothing",
  async () => {
    const disk = smallDisk(200 * MB);
    const cluster = await startTestCluster({ place: disk.folder });
    onTestFinished(cluster.drop);
    const api = await startApi({ database: { url: cluster.url, drop: async () => undefined } });
    const { key } = await api.createRootKey();
    const description = "x".repeat(1000);
    const names = await writeThroughFullDisk(disk, (name) =>
      api.send("POST", "/v1/projects", {
        key,
        idempotencyKey: name,
        body: { name, slug: name, description },
      }),
    );
    const rows = await api.platform.database.client`select slug from projects order by slug collate "C"`;
    expect(rows.map(({ slug }) => slug)).toEqual(names);
    await expect.poll(async () => (await api.send("GET", "/health")).body).toMatchObject({ status: "ok" });
  },
);

test.runIf(canMount)(
  "outlives a full disk of a cluster of managed databases, and loses and doubles nothing",
  async () => {
    const disk = smallDisk(200 * MB);
    const tenants = await startTenantCluster({ place: disk.folder });
    onTestFinished(tenants.drop);
    const api = await startApi({ settings: { tenantClusters: [tenants.cluster] } });
    const key = await provisionDatabase(api);
    await runActions(api, key, ["create table marks (call text, pad text)"]);
    const names = await writeThroughFullDisk(disk, async (name) => {
      const listed = await api.send("GET", "/v1/projects", { key });
      expect(listed.status).toBe(200);
      const sql = `insert into marks select '${name}', string_agg(md5(n::text || random()), '') from generate_series(1, 10000) n`;
      return api.send("POST", "/v1/databases/actions", {
        key,
        idempotencyKey: name,
        body: { actions: [{ type: "sql", sql }], timeoutMs: 30_000 },
      });
    });
    expect((await queryRows(api, key, 'select call from marks order by call collate "C"')).flat()).toEqual(
      names,
    );
    expect(await queryRows(api, key, "select count(*)::int from marks where length(pad) = 320000")).toEqual([
      [names.length],
    ]);
  },
);
