import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startPeer } from "#server/testing/peer.ts";
import { createEffects, play, runWith, startRuns, startWorkerProcess } from "#server/testing/runs.ts";
import { scriptedService } from "#server/testing/scripted-runs.ts";
import { startTakeoverClock, TAKEOVER_MS } from "#server/testing/takeover-clock.ts";

const api = await startApi({ settings: { services: [scriptedService()] } });
await createEffects(api);
const { db } = api.platform.database;

const statusOf = (key: string, id: string) => async () =>
  (await api.send("GET", `/v1/runs/${id}`, { key })).body.run.timeline.at(-1).step;

test("takes over the run of a killed worker within seconds", async () => {
  const { key } = await createPayingKey(api, 100);
  const child = await startWorkerProcess(api, join(tmpdir(), "unused-blobs"));
  const id = await play(api, key, [
    { do: "step", name: "first" },
    { do: "hang", name: "stuck" },
  ]);
  await expect.poll(statusOf(key, id)).toBe("stuck");
  const worker = await startRuns(api);
  const clock = await startTakeoverClock(api.databaseUrl);
  child.kill("SIGKILL");
  const run = await runWith(api, key, id, "failed");
  expect(clock()).toBeLessThan(TAKEOVER_MS);
  expect(run.error).toMatchObject({ code: "service_timeout", step: "stuck" });
  expect(await db.execute(sql`select name from effects where run = ${id}`)).toEqual([{ name: "first" }]);
  await worker.stop();
});

test("stops executing a run when its worker's connection is lost, and continues from the journal", async () => {
  const { key } = await createPayingKey(api, 100);
  const worker = await startRuns(api);
  const id = await play(api, key, [
    { do: "step", name: "first" },
    { do: "hang", name: "stuck" },
  ]);
  await expect.poll(statusOf(key, id)).toBe("stuck");
  // Ends the session whose lock shows that the worker is alive.
  await db.execute(sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 1869771361
    and database = (select oid from pg_database where datname = current_database())`);
  const run = await runWith(api, key, id, "failed");
  expect(run.error).toMatchObject({ code: "service_timeout", step: "stuck" });
  expect(await db.execute(sql`select name from effects where run = ${id}`)).toEqual([{ name: "first" }]);
  await worker.stop();
});

test("rolls back the effects of a step whose worker has lost its run", async () => {
  const { key } = await createPayingKey(api, 100);
  const worker = await startRuns(api);
  const id = await db.transaction(async (tx) => {
    // The step's effect waits for the lock.
    await tx.execute(sql`lock table effects in exclusive mode`);
    const id = await play(api, key, [{ do: "step", name: "slow" }]);
    await runWith(api, key, id, "running");
    await db.execute(sql`update runs set worker = null, ready_at = now() where id = ${uuidOf("run", id)}`);
    return id;
  });
  const run = await runWith(api, key, id, "succeeded");
  expect(run.timeline.filter(({ step }: { step: string }) => step === "slow")).toHaveLength(1);
  expect(await db.execute(sql`select fence from runs where id = ${uuidOf("run", id)}`)).toEqual([
    { fence: 2 },
  ]);
  await worker.stop();
  expect(await db.execute(sql`select name from effects where run = ${id}`)).toEqual([{ name: "slow" }]);
});

test("shares runs among workers; a stopped one releases its runs, and nothing is executed twice", async () => {
  const { key } = await createPayingKey(api, 1000);
  const left = Promise.withResolvers<void>();
  const peer = await startPeer(async () => {
    await left.promise;
    return {};
  });
  const actions = [
    { do: "step", name: "before" },
    { do: "send", name: "held", url: peer.origin, repeatable: true },
    { do: "step", name: "after" },
  ];
  const ids = await Promise.all(Array.from({ length: 24 }, () => play(api, key, actions)));
  const leaving = await startRuns(api);
  const staying = await startRuns(api);
  const done = async () =>
    (await db.execute(sql`select from effects where run = any(${sql.param(ids)}::text[])`)).length;
  // Each worker has as many of the account's runs as it may have.
  await expect.poll(() => peer.received.length).toBeGreaterThanOrEqual(4);
  await leaving.stop();
  await expect.poll(done).toBeGreaterThanOrEqual(4);
  left.resolve();
  for (const id of ids) await runWith(api, key, id, "succeeded");
  const effects = await db.execute(sql`
    select count(*)::int as done, count(distinct (run, name))::int as kinds from effects where run = any(${sql.param(ids)}::text[])`);
  expect(effects).toEqual([{ done: 48, kinds: 48 }]);
  const sent = peer.received.map(({ headers }) => headers["idempotency-key"]);
  // The stopped worker's two calls are repeated.
  expect(sent.length).toBeGreaterThanOrEqual(26);
  expect(new Set(sent).size).toBe(24);
  await staying.stop();
});

test("starts another account's run after a few of a thousand that one account has queued", async () => {
  const busy = await createPayingKey(api, 100);
  const other = await createPayingKey(api, 100);
  await play(api, busy.key, []);
  await db.execute(sql`
    insert into runs (account_id, id, service_id, operation_id, status, input, max_attempts, caller_type, caller_id, key_ids,
      privacy_tier, request_id, held_credits, last_seq, ready_at, expires_at)
    select r.account_id, uuidv7(), r.service_id, r.operation_id, 'queued', r.input, 1, r.caller_type, r.caller_id, r.key_ids,
      r.privacy_tier, r.request_id, 0, 1, now(), r.expires_at
    from runs r, generate_series(1, 1000) where r.account_id = ${uuidOf("account", busy.accountId)}`);
  const id = await play(api, other.key, []);
  const worker = await startRuns(api, { slots: 1, perAccount: 1 });
  await runWith(api, other.key, id, "succeeded");
  await worker.stop();
  const [before] = await db.execute<{ started: number }>(sql`
    select count(*)::int as started from runs where account_id = ${uuidOf("account", busy.accountId)}
      and started_at < (select started_at from runs where id = ${uuidOf("run", id)})`);
  expect(before?.started).toBeLessThanOrEqual(10);
});
