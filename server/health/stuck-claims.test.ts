import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { declaredExample } from "#server/testing/operator-services.ts";
import { startPeer } from "#server/testing/peer.ts";
import { createEffects, play, runWith, startWorkerProcess } from "#server/testing/runs.ts";
import { scriptedService } from "#server/testing/scripted-runs.ts";
import { startServer } from "#server/testing/server-process.ts";
import { operatorServices } from "../services/operator-services.ts";
import { createClaimsReader } from "./stuck-claims.ts";

const peer = await startPeer(() => "hang");
/** The event that each run's step waits for; a worker on a busy machine may repeat a step. */
const steps = { "/first": Promise.withResolvers<void>(), "/second": Promise.withResolvers<void>() };
const stepPeer = await startPeer(async ({ path }) => {
  await steps[path === "/first" ? path : "/second"].promise;
  return {};
});
const countAsked = (path: keyof typeof steps) => stepPeer.received.filter((one) => one.path === path).length;
const example = declaredExample({ baseUrl: peer.origin });
const folder = mkdtempSync(join(tmpdir(), "stuck-claims-"));
const manifest = join(folder, "services.json");
writeFileSync(manifest, JSON.stringify({ services: [example] }));
const database = await createTestDatabase();
const services = [scriptedService({ mayKill: true }), ...operatorServices([example])];
const api = await startApi({ database, settings: { services, blobs: { folder } } });
await createEffects(api);
const sql = postgres(database.url, { max: 1 });
afterAll(async () => {
  await sql.end();
  rmSync(folder, { recursive: true });
});

/** Reads the claims like the metrics do, after less than a minute. */
const reader = createClaimsReader(1);
const claims = async () =>
  Object.fromEntries((await reader(sql)).map(({ labels, value }) => [labels?.kind, value]));
const NONE = { calls: 0, runs: 0, triggers: 0, webhooks: 0 };

test("counts the claims of an ended process until another has taken them over, and none of a running process", async () => {
  const { key } = await createPayingKey(api, 1000);
  const worker = await startWorkerProcess(api, folder, 1);
  const send = (name: string) => [{ do: "send", name, url: `${stepPeer.origin}/${name}`, repeatable: true }];
  const runId = await play(api, key, send("first"));
  await expect.poll(() => countAsked("/first")).toBeGreaterThan(0);
  const since = performance.now();
  while (performance.now() - since < 1200) expect(await claims()).toEqual(NONE);
  steps["/first"].resolve();
  await runWith(api, key, runId, "succeeded");

  const second = await play(api, key, send("second"));
  await expect.poll(() => countAsked("/second")).toBeGreaterThan(0);
  await api.platform.database.client.begin(async (tx) => {
    // While its row is locked, no other process frees the run.
    await tx`select from runs where id = ${uuidOf("run", second)} for update`;
    worker.kill("SIGKILL");
    await expect.poll(claims).toEqual({ ...NONE, runs: 1 });
  });
  await startWorkerProcess(api, folder, 1);
  steps["/second"].resolve();
  await runWith(api, key, second, "succeeded");
  await expect.poll(claims).toEqual(NONE);
});

test("counts the calls of an ended process until their callers repeat them", async () => {
  const { key } = await createPayingKey(api, 1000);
  const { origin, child } = await startServer(database.url, "--services", manifest);
  const idempotencyKey = unique("reserve");
  const call = {
    key,
    idempotencyKey,
    body: { operationId: "reserve", input: { item: "desk", quantity: 1 } },
  };
  const headers = {
    authorization: `Bearer ${key}`,
    "idempotency-key": idempotencyKey,
    "content-type": "application/json",
  };
  const path = "/v1/services/example-desk/invoke";
  const lost = fetch(`${origin}${path}`, { method: "POST", headers, body: JSON.stringify(call.body) });
  lost.catch(() => undefined);
  await expect.poll(() => peer.received.length).toBe(1);
  expect(await claims()).toEqual(NONE);
  child.kill("SIGKILL");
  await once(child, "exit");
  await expect.poll(claims).toEqual({ ...NONE, calls: 1 });
  const repeat = api.send("POST", path, call);
  await expect.poll(() => peer.received.length).toBe(2);
  await expect.poll(claims).toEqual(NONE);
  await repeat;
});
