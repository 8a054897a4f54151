import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { createPayingKey, grantTo } from "#server/testing/credits.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { freezeAtTable } from "#server/testing/frozen-process.ts";
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

const bodyOf = async (answer: Response) => ({ status: answer.status, body: await answer.json() });

/** Makes a call whose process is suspended after claiming its key and considered dead; `thaw` continues it. */
async function freezeInvocation(key: string) {
  const { client } = api.platform.database;
  const idempotencyKey = unique("frozen");
  const server = await startServer(database.url, "--services", manifest);
  const { origin } = server;
  const invoke = (from: string) =>
    fetch(`${from}/v1/services/example-desk/invoke`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "idempotency-key": idempotencyKey,
        "content-type": "application/json",
      },
      body: JSON.stringify({ operationId: "reserve", input: { item: "desk", quantity: 1 } }),
    }).then(bodyOf);

  const { first } = await freezeAtTable(
    client,
    server,
    { table: "service_calls", mode: "access exclusive" },
    () => invoke(origin),
  );
  return { first, repeat: () => invoke(api.origin), thaw: () => server.child.kill("SIGCONT") };
}

const balanceOf = async (key: string) => (await api.send("GET", "/v1/credits/balance", { key })).body.balance;

test("sets nothing aside for a call that another process has made while its own was frozen", async () => {
  peer.received.length = 0;
  const { key } = await createPayingKey(api, 100);
  const { first, repeat, thaw } = await freezeInvocation(key);
  const second = await repeat();
  expect(second).toMatchObject({ status: 200, body: { chargedCredits: 5 } });
  thaw();
  expect(await first).toEqual(second);
  expect(await balanceOf(key)).toMatchObject({ reservedCredits: 0, totalCredits: 95 });
  expect(peer.received).toHaveLength(1);
});

test("does nothing of a call once its repeat was refused while its own process was frozen", async () => {
  peer.received.length = 0;
  const { key, accountId } = await createPayingKey(api, 3);
  const { first, repeat, thaw } = await freezeInvocation(key);
  expect(await repeat()).toMatchObject({
    status: 402,
    body: { error: { code: "insufficient_credits", operationState: "not_started" } },
  });
  await grantTo(api, accountId, 97);
  thaw();
  expect(await first).toMatchObject({ body: { ok: false, error: { retryable: true } } });
  expect(peer.received).toHaveLength(0);
  expect(await balanceOf(key)).toMatchObject({ reservedCredits: 0, totalCredits: 100 });
  expect(await repeat()).toMatchObject({ status: 200, body: { chargedCredits: 5 } });
  expect(await balanceOf(key)).toMatchObject({ reservedCredits: 0, totalCredits: 95 });
});
