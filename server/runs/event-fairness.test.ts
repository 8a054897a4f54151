import { expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { eventsKept } from "#server/testing/events.ts";
import { createRun, startRuns } from "#server/testing/runs.ts";
import { createWebhook } from "#server/testing/webhooks.ts";

const api = await startApi();
const { client } = api.platform.database;

const MANY = 5000;
const put = { serviceId: "managed-memory", operationId: "put", input: { content: "Said." } };

/** Creates an account whose webhook gets all events of runs. */
async function createFollowed() {
  const { key, accountId } = await createPayingKey(api, 100);
  await createWebhook(api, key, "https://example.com/hook", ["run.*"]);
  return { key, accountId };
}

/** Creates a run that no worker starts during the test; returns its id. */
async function createLater(key: string): Promise<string> {
  const startAt = new Date(Date.now() + 3_600_000).toISOString();
  const { body } = await createRun(api, key, { ...put, startAt });
  return body.run.id;
}

test("emits one account's events beside thousands that are due of an older account", async () => {
  const many = await createFollowed();
  const one = await createFollowed();
  const id = uuidOf("run", await createLater(many.key));
  // As creating them would.
  await client`
    with copies as (
      insert into runs (account_id, id, service_id, operation_id, status, input, max_attempts, caller_type, caller_id, key_ids,
        privacy_tier, request_id, held_credits, last_seq, starts_at, delayed_until, expires_at)
      select r.account_id, uuidv7(), r.service_id, r.operation_id, r.status, r.input, 1, r.caller_type, r.caller_id, r.key_ids,
        r.privacy_tier, r.request_id, 0, 1, r.starts_at, r.delayed_until, r.expires_at
      from runs r, generate_series(1, ${MANY}) where r.id = ${id} returning account_id, id),
    entries as (
      insert into run_timeline (account_id, run_id, seq, at, type, level, message, data)
      select c.account_id, c.id, 1, e.at, e.type, e.level, e.message, e.data from copies c, run_timeline e where e.run_id = ${id})
    insert into run_announcements (account_id, run_id, seq) select account_id, id, 1 from copies`;
  await createLater(one.key);
  const worker = await startRuns(api);
  const idOfOne = () => client`select id from outbox where account_id = ${uuidOf("account", one.accountId)}`;
  await expect.poll(idOfOne, { interval: 20 }).toHaveLength(1);
  const [event] = await idOfOne();
  const [before] = await client`select count(*)::int as count from outbox
    where account_id = ${uuidOf("account", many.accountId)} and id < ${event?.id}`;
  expect(before?.count).toBeLessThanOrEqual(100);
  // Batch after batch: with a pause of 250 ms after each, it would take longer than the poll waits.
  const due = async () => (await client`select count(*)::int as count from run_announcements`)[0]?.count;
  await expect.poll(due).toBe(0);
  await worker.stop();
});

test("emits other runs' events while one run's can't be stored, and that run's in order afterwards", async () => {
  const { key, accountId } = await createFollowed();
  const worker = await startRuns(api);
  /** Returns the states of a run that events were emitted for. */
  const statesOf = async (runId: string) =>
    (await eventsKept(api, accountId))
      .filter(({ data }) => data.run.id === runId)
      .map(({ sequence, data }) => `${sequence} ${data.run.status}`);
  const blocked = await createLater(key);
  await expect.poll(() => statesOf(blocked)).toEqual(["1 queued"]);
  await client.begin(async (tx) => {
    await tx`select from event_sequences where resource = ${blocked} for update`;
    await api.mustSend(202, "POST", `/v1/runs/${blocked}/cancel`, { key, body: {} });
    const { body } = await createRun(api, key, put);
    await expect.poll(() => statesOf(body.run.id)).toEqual(["1 queued", "2 running", "3 succeeded"]);
    expect(await statesOf(blocked)).toEqual(["1 queued"]);
  });
  await expect.poll(() => statesOf(blocked)).toEqual(["1 queued", "2 cancelling", "3 cancelled"]);
  await worker.stop();
});
