import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { declaredExample } from "#server/testing/operator-services.ts";
import { startPeer } from "#server/testing/peer.ts";
import { startServer } from "#server/testing/server-process.ts";
import { operatorServices } from "./operator-services.ts";

const peer = await startPeer(({ body }) => ({ body: { id: "r-1", ...JSON.parse(body).input } }));
const service = declaredExample({ baseUrl: peer.origin });
const folder = mkdtempSync(join(tmpdir(), "services-taken-over-"));
const manifest = join(folder, "services.json");
writeFileSync(manifest, JSON.stringify({ services: [service] }));
const database = await createTestDatabase();
const api = await startApi({ database, settings: { services: operatorServices([service]) } });
afterAll(() => rmSync(folder, { recursive: true }));

test("sets nothing aside for a call that another process has made while its own was frozen", async () => {
  const { client } = api.platform.database;
  const { key } = await createPayingKey(api, 100);
  const idempotencyKey = unique("frozen");
  const { origin, name, child } = await startServer(database.url, "--services", manifest);
  const invoke = (from: string) =>
    fetch(`${from}/v1/services/example-desk/invoke`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "idempotency-key": idempotencyKey,
        "content-type": "application/json",
      },
      body: JSON.stringify({ operationId: "reserve", input: { item: "desk", quantity: 1 } }),
    }).then(async (answer) => ({ status: answer.status, body: await answer.json() }));

  // It has claimed its key, and is frozen before it has set credits aside.
  let first: ReturnType<typeof invoke> | undefined;
  await client.begin(async (tx) => {
    await tx`lock table service_calls in access exclusive mode`;
    first = invoke(origin);
    const waiting = () =>
      client`select from pg_stat_activity where application_name = ${name} and wait_event_type = 'Lock'`;
    await expect.poll(waiting).toHaveLength(1);
    child.kill("SIGSTOP");
  });
  await client`
    select pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and application_name = ${name}`;
  const second = await invoke(api.origin);
  expect(second).toMatchObject({ status: 200, body: { chargedCredits: 5 } });
  child.kill("SIGCONT");
  expect(await first).toEqual(second);
  const { balance } = (await api.send("GET", "/v1/credits/balance", { key })).body;
  expect(balance).toMatchObject({ reservedCredits: 0, totalCredits: 95 });
  expect(peer.received).toHaveLength(1);
});
