import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { stopClock } from "#server/testing/clock.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { declaredExample } from "#server/testing/operator-services.ts";
import { startPeer } from "#server/testing/peer.ts";
import { startServer } from "#server/testing/server-process.ts";
import { startTakeoverClock, TAKEOVER_MS } from "#server/testing/takeover-clock.ts";
import { operatorServices } from "../services/operator-services.ts";

/** A service that does not respond until it is released. */
let released = Promise.withResolvers<void>();
const peer = await startPeer(async ({ body }) => {
  await released.promise;
  return { body: { id: "r-1", ...JSON.parse(body).input } };
});
const service = declaredExample({ baseUrl: peer.origin, timeoutMs: 50_000 });
const folder = mkdtempSync(join(tmpdir(), "claims-"));
const manifest = join(folder, "services.json");
writeFileSync(manifest, JSON.stringify({ services: [service] }));
const database = await createTestDatabase();
const api = await startApi({ database, settings: { services: operatorServices([service]) } });
afterAll(() => rmSync(folder, { recursive: true }));

async function reserve(origin: string, key: string, idempotencyKey: string) {
  const answer = await fetch(`${origin}/v1/services/example-desk/invoke`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "idempotency-key": idempotencyKey,
      "content-type": "application/json",
    },
    body: JSON.stringify({ operationId: "reserve", input: { item: "room", quantity: 1 } }),
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

const balanceOf = async (key: string) => (await api.send("GET", "/v1/credits/balance", { key })).body.balance;

/** Waits until the peer has received this many requests, and returns them. */
async function requests(count: number) {
  await expect.poll(() => peer.received.length).toBe(count);
  return new Set(peer.received.map(({ headers }) => headers["idempotency-key"]));
}

test("hands the key of a call whose process was killed to its repeat at another process", async () => {
  released = Promise.withResolvers();
  peer.received.length = 0;
  const { key } = await createPayingKey(api, 100);
  const idempotencyKey = unique("orphan");
  const { origin, child } = await startServer(database.url, "--services", manifest);
  const first = reserve(origin, key, idempotencyKey).catch(() => null);
  await requests(1);
  const clock = await startTakeoverClock(database.url);
  child.kill("SIGKILL");
  expect(await first).toBeNull();

  const repeat = reserve(api.origin, key, idempotencyKey);
  expect((await requests(2)).size).toBe(1);
  expect(clock()).toBeLessThan(TAKEOVER_MS);
  released.resolve();
  expect(await repeat).toMatchObject({ status: 200, body: { result: { id: "r-1" }, chargedCredits: 5 } });
  expect(await balanceOf(key)).toMatchObject({ availableCredits: 95, reservedCredits: 0 });
});

test("charges and answers once though a process that lives is taken for dead during its call", async () => {
  released = Promise.withResolvers();
  peer.received.length = 0;
  const { key } = await createPayingKey(api, 100);
  const idempotencyKey = unique("taken-for-dead");
  const { origin, name } = await startServer(database.url, "--services", manifest);
  const first = reserve(origin, key, idempotencyKey);
  await requests(1);

  const repeat = reserve(api.origin, key, idempotencyKey);
  // Its lock is broken each time it is acquired again, until its call has been taken over.
  while (peer.received.length < 2) {
    await api.platform.database.client`
      select pg_terminate_backend(l.pid) from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and a.application_name = ${name}`;
    await sleep(5);
  }
  released.resolve();
  const answers = await Promise.all([first, repeat]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[0]?.body).toEqual(answers[1]?.body);
  expect(answers.filter(({ headers }) => headers.has("idempotent-replayed"))).toHaveLength(1);
  expect((await requests(2)).size).toBe(1);
  expect(await balanceOf(key)).toMatchObject({ availableCredits: 95, reservedCredits: 0 });
});

test("leaves the key to a running call, though its process has lost its lock for a moment", async () => {
  released = Promise.withResolvers();
  peer.received.length = 0;
  const { key } = await createPayingKey(api, 100);
  const idempotencyKey = unique("moment");
  const { origin, name } = await startServer(database.url, "--services", manifest);
  const first = reserve(origin, key, idempotencyKey);
  await requests(1);
  const repeat = reserve(api.origin, key, idempotencyKey);
  const { client } = api.platform.database;
  const holders = () => client<{ pid: number }[]>`
    select l.pid from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and l.granted and a.application_name = ${name}`;
  const [lost] = await holders();
  // For the repeat it is a moment, however long a busy machine takes to retake the lock.
  const began = Date.now();
  stopClock(began);
  await client`select pg_terminate_backend(${defined(lost).pid})`;
  await expect.poll(async () => (await holders()).some(({ pid }) => pid !== lost?.pid)).toBe(true);
  stopClock(began + 4000);
  // The repeat asks four times a second.
  await sleep(1000);
  released.resolve();
  expect((await first).headers.has("idempotent-replayed")).toBe(false);
  expect((await repeat).headers.get("idempotent-replayed")).toBe("true");
  expect(peer.received).toHaveLength(1);
});
