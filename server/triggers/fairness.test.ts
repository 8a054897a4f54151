import { expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { remember, runsOf, startTriggers, triggersDo } from "#server/testing/triggers.ts";

const api = await startApi();

test("starts one account's run beside ten thousand that are due of another", async () => {
  const { client } = api.platform.database;
  const many = await createPayingKey(api, 100_000);
  const one = await createPayingKey(api, 100);
  const at = new Date(Date.now() + 10_000).toISOString();
  const { trigger } = await triggersDo(api, many.key, "put", { name: "many", on: { at }, start: remember });
  const single = await triggersDo(api, one.key, "put", { name: "single", on: { at }, start: remember });
  const id = uuidOf("trigger", trigger.id);
  // As many as the account may have, inserted as `put` would.
  await client`
    insert into triggers (account_id, id, space, name, schedule, service_id, operation_id, start, overlap, catch_up_seconds,
      jitter_seconds, caller_type, caller_id, anchor_at, next_at, due_at, updated_at)
    select account_id, uuidv7(), space, name || '-' || n, schedule, service_id, operation_id, start, overlap, catch_up_seconds,
      jitter_seconds, caller_type, caller_id, anchor_at, next_at, next_at - interval '1 ms', updated_at
    from triggers, generate_series(1, 9999) n where id = ${id}`;
  const worker = await startTriggers(api);
  await expect.poll(() => runsOf(api, one.key, single.trigger.id), { interval: 20 }).toHaveLength(1);
  await worker.stop();
  const [run] = await runsOf(api, one.key, single.trigger.id);
  const [before] = await client`select count(*)::int as count from runs r
    where r.account_id = ${uuidOf("account", many.accountId)} and r.created_at <= ${run.createdAt}::timestamptz`;
  expect(before?.count).toBeLessThanOrEqual(10);
});
