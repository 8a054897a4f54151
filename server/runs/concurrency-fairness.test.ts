import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { NIL_UUID, uuidOf } from "#server/base/ids.ts";
import { spaceOf } from "#server/operation/tenancy.ts";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createEffects, play, runWith, startRuns } from "#server/testing/runs.ts";
import { scriptedService } from "#server/testing/scripted-runs.ts";

const api = await startApi({ settings: { services: [scriptedService()] } });
await createEffects(api);
const { client } = api.platform.database;

const QUEUED = 10_000;
/** Calls after which a session has read the catalogues and made its plans. */
const WARM = 3;
const blocked = [{ key: "blocked", limit: 1, hold: "live" }];
const wait = [{ do: "wait", name: "pause", seconds: 3600 }];

/** Queues copies of a run that waits for a slot, as calls would. */
async function queueCopies(runId: string, count: number): Promise<void> {
  const id = uuidOf("run", runId);
  await client`
    with copies as (
      insert into runs (account_id, id, service_id, operation_id, status, input, max_attempts, caller_type, caller_id, key_ids,
        privacy_tier, request_id, held_credits, last_seq, concurrency, queued_at, expires_at)
      select r.account_id, uuidv7(), r.service_id, r.operation_id, 'queued', r.input, 1, r.caller_type, r.caller_id, r.key_ids,
        r.privacy_tier, r.request_id, 0, 1, r.concurrency, clock_timestamp(), r.expires_at
      from runs r, generate_series(1, ${count}) where r.id = ${id} returning account_id, id),
    slots as (
      insert into run_slots (account_id, run_id, key, space, hold, state, place)
      select c.account_id, c.id, s.key, s.space, s.hold, 'waiting', clock_timestamp()
      from copies c, run_slots s where s.run_id = ${id})
    insert into slot_signals (account_id, space, key, most)
    select c.account_id, s.space, s.key, 1 from copies c, run_slots s where s.run_id = ${id}`;
}

const signals = async () => (await client`select from slot_signals`).length;

type Pages = Record<string, number>;

/** Returns the counts that have grown by more than deeper indexes add; one of the queue's indexes has over forty pages. */
const costlier = (few: Pages, many: Pages) =>
  Object.entries(few).flatMap(([name, pages]) => {
    const now = many[name] ?? 0;
    return now > 1.75 * pages + 15 ? [{ name, before: pages, now }] : [];
  });

/** Lets a worker execute runs until a function has returned and all signals are processed. */
async function beside<Result>(work: () => Promise<Result>): Promise<Result> {
  const worker = await startRuns(api, { slots: 4, perAccount: 4 });
  const result = await work();
  await expect.poll(signals).toBe(0);
  await worker.stop();
  return result;
}

interface Explained {
  "QUERY PLAN": [{ Plan: { "Shared Hit Blocks": number; "Shared Read Blocks": number } }];
}

/**
 * Opens a session, which keeps the plans of its first calls; returns a function that counts the pages which creating a run's
 * slots and claiming the run read. Nothing of it remains.
 */
function openSession() {
  // Planning would read pages, too.
  const connection = { plan_cache_mode: "force_generic_plan" };
  const session = postgres(api.databaseUrl, { max: 1, connection, onnotice: () => undefined });
  onTestFinished(() => session.end());
  return async ({ accountId, id }: { accountId: string; id: string }) => {
    const [account, run] = [uuidOf("account", accountId), uuidOf("run", id)];
    const space = spaceOf({ accountId, projectId: null, endUserId: null });
    const pages: Pages = {};
    const count = async (name: string, statement: string) => {
      const [row] = await session.unsafe<Explained[]>(`explain (analyze, buffers, format json) ${statement}`);
      const { Plan: plan } = defined(row)["QUERY PLAN"][0];
      pages[name] = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
    };
    for (let nth = 0; nth < WARM; nth++) {
      await session`begin`;
      await count("maintain", "select from maintain_runs('a worker', '{}')");
      await count("claim", `select from claim_runs('a worker', '{}', 4, 4, '${NIL_UUID}')`);
      expect(await session`select id from runs where worker = 'a worker'`).toEqual([{ id: run }]);
      await session`delete from run_slots where run_id = ${run}`;
      await count("create", `select add_slots('${account}', '${run}', '${space}', true)`);
      await session`rollback`;
    }
    return pages;
  };
}

test("starts others' runs, and those of other keys, with as few reads beside ten thousand that wait for one key", async () => {
  const busy = await createPayingKey(api, 10_000);
  const other = await createPayingKey(api, 10_000);
  const free = { concurrency: [{ key: "free", limit: 10 }] };
  const starts = {
    "another account's": [other, free],
    "another key's": [busy, free],
    "without a key": [busy, {}],
  } as const;
  const holder = await beside(async () => {
    const id = await play(api, busy.key, wait, { concurrency: blocked });
    await runWith(api, busy.key, id, "running");
    return id;
  });
  const first = await play(api, busy.key, wait, { concurrency: blocked });
  await beside(async () => undefined);

  /** Counts for each kind, and lets a worker execute the counted run. */
  async function countAll(countPages: ReturnType<typeof openSession>) {
    await client`vacuum runs, run_slots, slot_signals`;
    const counted: Pages = {};
    for (const [kind, [{ key, accountId }, more]] of Object.entries(starts)) {
      const id = await play(api, key, [], more);
      for (const [name, pages] of Object.entries(await countPages({ accountId, id })))
        counted[`${name} ${kind}`] = pages;
      await beside(() => runWith(api, key, id, "succeeded"));
    }
    return counted;
  }
  const early = openSession();
  const few = await countAll(early);
  await queueCopies(first, QUEUED);
  await beside(async () => undefined);
  // Counted again if it is more: a vacuum leaves dead rows that another session's snapshot may still see.
  const excessOf = (session: typeof early) => expect.poll(async () => costlier(few, await countAll(session)));
  await excessOf(early).toEqual([]);
  await client`analyze runs, run_slots, slot_signals`;
  await excessOf(early).toEqual([]);
  await excessOf(openSession()).toEqual([]);

  const { body } = await api.send("POST", `/v1/runs/${holder}/cancel`, { key: busy.key, body: {} });
  expect(body.run.status).toBe("cancelled");
  const started = await beside(() => runWith(api, busy.key, first, "running"));
  expect(started.waitingFor).toBeNull();
});
