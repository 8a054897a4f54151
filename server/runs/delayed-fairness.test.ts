import { expect, onTestFinished, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey, grantTo } from "#server/testing/credits.ts";
import { createEffects, createRun, play, runWith, startRuns } from "#server/testing/runs.ts";
import { scriptedService } from "#server/testing/scripted-runs.ts";

const api = await startApi({ settings: { services: [scriptedService()] } });
await createEffects(api);
const { client } = api.platform.database;

const put = { serviceId: "managed-memory", operationId: "put", input: { content: "Later." } };
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

/** Starts a worker until the test ends: before that, nothing starts, however late it is. */
async function startWorker() {
  const worker = await startRuns(api);
  onTestFinished(() => worker.stop());
}

/** Creates a delayed run; returns its id. */
async function createDelayed(key: string, startAt: string): Promise<string> {
  const { body } = await createRun(api, key, { ...put, startAt });
  return body.run.id;
}

/** Inserts copies of a delayed run, which are due before it, as creating them would. */
async function copyRun(runId: string, count: number): Promise<void> {
  await client`
    with copies as (
      insert into runs (account_id, id, service_id, operation_id, status, input, max_attempts, caller_type, caller_id, key_ids,
        privacy_tier, request_id, held_credits, last_seq, starts_at, delayed_until, expires_at)
      select r.account_id, uuidv7(), r.service_id, r.operation_id, r.status, r.input, 1, r.caller_type, r.caller_id, r.key_ids,
        r.privacy_tier, r.request_id, 0, 1, r.starts_at, r.delayed_until - interval '1 ms', r.expires_at
      from runs r, generate_series(1, ${count}) where r.id = ${uuidOf("run", runId)} returning account_id, id)
    insert into run_timeline (account_id, run_id, seq, at, type, level, message, data)
    select c.account_id, c.id, 1, e.at, e.type, e.level, e.message, e.data
    from copies c, run_timeline e where e.run_id = ${uuidOf("run", runId)}`;
}

/** Returns how many of an account's runs have been refused for missing credits until then. */
async function refusedUntil(accountId: string, at: string): Promise<number> {
  const [row] = await client<{ count: number }[]>`select count(*)::int as count from run_timeline
    where account_id = ${uuidOf("account", accountId)} and data ->> 'code' = 'insufficient_credits' and at <= ${at}::timestamptz`;
  return row?.count ?? 0;
}

test("starts one account's delayed run beside thousands that are due of another", async () => {
  const many = await createPayingKey(api, 10_000);
  const one = await createPayingKey(api, 10);
  const at = inSeconds(10);
  await copyRun(await createDelayed(many.key, at), 1000);
  const single = await createDelayed(one.key, at);
  const worker = await startRuns(api);
  const run = await runWith(api, one.key, single, "succeeded");
  await worker.stop();
  const [before] = await client`select count(*)::int as count from runs
    where account_id = ${uuidOf("account", many.accountId)} and started_at <= ${run.startedAt}::timestamptz`;
  expect(before?.count).toBeLessThanOrEqual(50);
});

test("starts a paying account's run beside thousands that wait for credits, and these once there are some", async () => {
  const many = await api.createRootKey();
  const one = await createPayingKey(api, 10);
  const at = inSeconds(10);
  await copyRun(await createDelayed(many.key, at), 2999);
  const single = await createDelayed(one.key, at);
  await startWorker();
  const run = await runWith(api, one.key, single, "succeeded");
  expect(await refusedUntil(many.accountId, run.startedAt)).toBeLessThanOrEqual(2000);
  await expect.poll(() => refusedUntil(many.accountId, inSeconds(0))).toBe(3000);
  await grantTo(api, many.accountId, 10);
  const ended = async () =>
    (await api.mustSend(200, "GET", "/v1/runs?status=succeeded&limit=100", { key: many.key })).runs;
  await expect.poll(ended).toHaveLength(10);
});

test("starts a run that the account can pay while a dearer one waits for credits", async () => {
  const { key } = await createPayingKey(api, 1);
  const startAt = inSeconds(1);
  const dear = await play(api, key, [], { startAt });
  const cheap = await createDelayed(key, startAt);
  await startWorker();
  await runWith(api, key, cheap, "succeeded");
  const { run } = await api.mustSend(200, "GET", `/v1/runs/${dear}`, { key });
  expect(run.status).toBe("queued");
});

test("starts another key's run while one key's limit of live runs refuses all of its own, which start later", async () => {
  const { key: root } = await createPayingKey(api, 100_000);
  const { key } = await api.createChild(root, { limits: { "runs.create": { maxConcurrent: 1 } } });
  const wait = [{ do: "wait", name: "pause", seconds: 3600 }];
  const live = await play(api, key, wait);
  const startAt = inSeconds(1);
  const limited = [await createDelayed(key, startAt), await createDelayed(key, startAt)];
  const free = await createDelayed(root, startAt);
  await startWorker();
  await runWith(api, root, free, "succeeded");
  const lastOf = async (id: string) =>
    (await api.mustSend(200, "GET", `/v1/runs/${id}`, { key })).run.timeline.at(-1);
  for (const id of limited)
    await expect.poll(() => lastOf(id)).toMatchObject({ level: "warn", data: { code: "limit_exhausted" } });
  await api.mustSend(202, "POST", `/v1/runs/${live}/cancel`, { key, body: {} });
  for (const id of limited) await runWith(api, key, id, "succeeded");
});
