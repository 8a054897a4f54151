import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startTestCluster } from "#server/testing/cluster.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startLoad } from "#server/testing/load.ts";
import { startServer } from "#server/testing/server-process.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import { endOfTransfer, provisionDatabase, startTransfer } from "#server/testing/transfers.ts";

const folder = mkdtempSync(join(tmpdir(), "test-restarted-"));
const cluster = await startTestCluster();
const tenants = await startTenantCluster();
const api = await startApi({
  database: cluster,
  settings: { tenantClusters: [tenants.cluster], blobs: { folder } },
});
afterAll(async () => {
  await tenants.drop();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ["in an orderly way", "SIGINT"],
  ["at once", "SIGQUIT"],
  ["by a kill", "SIGKILL"],
] as const)(
  "outlives a database that is restarted %s under load: no process ends, and no call answers 500",
  async (_, signal) => {
    const { key } = await createPayingKey(api, 10_000);
    const tenant = await provisionDatabase(api);
    const { origin, child } = await startServer(cluster.url, folder, tenants.url("postgres"), "--jobs");
    const send = async (method: string, path: string, idempotencyKey: string, body?: object) => {
      const answer = await fetch(`${origin}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          ...(body && { "idempotency-key": idempotencyKey }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await answer.json() };
    };
    const calls: Record<string, (idempotencyKey: string) => ReturnType<typeof send>> = {
      list: (each) => send("GET", "/v1/projects", each),
      create: (each) => send("POST", "/v1/projects", each, { name: each, slug: each }),
      put: (each) =>
        send("POST", "/v1/services/managed-memory/invoke", each, {
          operationId: "put",
          input: { name: each, content: "x" },
        }),
    };
    const kinds = ["list", "list", "list", "create", "create", "put", "put"];
    const load = startLoad(calls, { kinds, pauseMs: () => 0 });
    await load.untilAnswered();
    cluster.kill(signal);
    await sleep(100);
    await cluster.untilUp();
    const back = performance.now();
    await load.untilAnswered(back + 6000);
    await load.stop();

    const sent = load.sent.map(({ answer: { status, body }, ...call }) => ({
      ...call,
      status,
      code: body.error?.code ?? null,
    }));
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
    const failed = sent.filter(({ status }) => status >= 400);
    expect(new Set(failed.map(({ status, code }) => `${status} ${code}`))).toEqual(
      new Set(["503 service_unavailable"]),
    );
    expect(failed.filter(({ began }) => began > back + 5000)).toEqual([]);
    for (const { kind, idempotencyKey } of failed)
      if (kind !== "list")
        await expect
          .poll(async () => (await calls[kind]?.(idempotencyKey))?.body)
          .toMatchObject({ ok: true });
    const { client } = api.platform.database;
    for (const [kind, table, column] of [
      ["create", "projects", "slug"],
      ["put", "memories", "name"],
    ] as const) {
      const written = sent.filter((each) => each.kind === kind).map(({ idempotencyKey }) => idempotencyKey);
      const rows = await client`
      select ${client(column)} as name from ${client(table)} where ${client(column)} = any(${written})`;
      expect(rows.map(({ name }) => name).sort()).toEqual(written.sort());
    }
    // Its worker continues too.
    const exported = await startTransfer(api, tenant, { direction: "export" });
    expect((await endOfTransfer(api, tenant, exported)).status).toBe("ready");
  },
);
