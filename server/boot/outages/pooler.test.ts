import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { startPooler } from "#server/testing/pooler.ts";
import { createRun, runWith } from "#server/testing/runs.ts";
import { createWallet, send, transactionWith } from "#server/testing/transactions.ts";
import { verifyRestored } from "../backup/verify-restored.ts";
import { startWork } from "../work.ts";

const SESSIONS = 4;
const CREDITS = 1000;
const RUNS = 20;
const direct = await createTestDatabase();
const pooler = await startPooler(direct.url, SESSIONS);
const chain = await startTestChain();
const api = await startApi({
  database: { url: pooler.url, directUrl: direct.url, drop: direct.drop },
  settings: { chains: [chain.settings] },
});

test("web and worker run through few sessions of a transaction pooler, and survive its restart", async () => {
  const { key } = await createPayingKey(api, CREDITS);
  const stops: (() => unknown)[] = [];
  await startWork(api.platform, { databaseUrl: pooler.url, directUrl: direct.url }, stops);
  const runOf = (content: string) => ({
    serviceId: "managed-memory",
    operationId: "put",
    input: { content },
  });

  async function create(nth: number): Promise<string> {
    const idempotencyKey = unique("pooled");
    for (;;) {
      const body = { name: idempotencyKey };
      const { status } = await api.send("POST", "/v1/projects", { key, idempotencyKey, body });
      if (status === 201) return idempotencyKey;
      expect([409, 503]).toContain(status);
      await sleep(20 + nth);
    }
  }
  const creating = Promise.all(Array.from({ length: 100 }, (_, nth) => create(nth)));
  const reading = Promise.all(
    Array.from({ length: 100 }, () => api.sendPatiently("GET", "/v1/projects?limit=1", { key })),
  );
  expect(new Set((await reading).map(({ status }) => status))).toEqual(new Set([200]));
  await creating;

  const again = Promise.all(Array.from({ length: 100 }, (_, nth) => create(nth)));
  await pooler.restart();
  const names = [...(await creating), ...(await again)];
  const rows = await api.platform.database.client<{ name: string }[]>`
    select name from projects where name like 'pooled-%'`;
  expect(rows.map(({ name }) => name).sort()).toEqual(names.sort());

  const runs = await Promise.all(
    Array.from({ length: RUNS }, (_, nth) => createRun(api, key, runOf(String(nth)))),
  );
  for (const { body } of runs) await runWith(api, key, body.run.id, "succeeded");
  const { balance } = (await api.send("GET", "/v1/credits/balance", { key })).body;
  expect(balance).toMatchObject({ availableCredits: CREDITS - RUNS, reservedCredits: 0 });
  const wallet = await createWallet(api, chain, key);
  await transactionWith(api, key, await send(api, key, wallet.id), "confirmed");

  const { auditSigningKey } = api.platform.settings;
  expect((await verifyRestored(direct.url, null, auditSigningKey, null)).faults).toEqual([]);
  expect(pooler.sessionState).toEqual([]);
  for (const stop of stops.toReversed()) await stop();
});
