import postgres from "postgres";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { toUuid } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createRun } from "#server/testing/runs.ts";
import { remember, setClock, triggersDo } from "#server/testing/triggers.ts";

const api = await startApi();
/** Without the time limit of the platform's own statements: some of these create thousands of rows. */
const client = postgres(api.databaseUrl, { max: 1, onnotice: () => undefined });
afterAll(() => client.end());

const MANY = 5000;
const MAX_READ = 100;
const NIL = "00000000-0000-0000-0000-000000000000";

/**
 * Opens a session, which keeps the plans of its first calls; returns a function that counts the rows a statement reads.
 */
function openSession() {
  const session = postgres(api.databaseUrl, { max: 1, onnotice: () => undefined });
  onTestFinished(() => session.end());
  const countRead = async () => {
    const [row] = await session<{ read: number }[]>`
      select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int as read
      from pg_stat_xact_user_tables where relname ~ '^(runs|triggers)'`;
    return row?.read ?? 0;
  };
  /** Returns a statement's rows, and the number of rows of runs and triggers that it reads; nothing of it remains. */
  return async (statement: string, place: string) => {
    await session`begin`;
    const before = await countRead();
    const rows = await session.unsafe(statement, [place], { prepare: true });
    const read = (await countRead()) - before;
    await session`rollback`;
    return { rows, read };
  };
}

test("claims and maintains runs and triggers, and looks whether events are wanted, without reading all of an account's", async () => {
  const { key, accountId } = await createPayingKey(api, 1000);
  const account = toUuid("account", accountId);
  const put = { serviceId: "managed-memory", operationId: "put", input: { content: "Claimed." } };
  await createRun(api, key, put);
  const on = { everySeconds: 60 };
  await triggersDo(api, key, "put", { name: "claimed", on, start: remember });
  await setClock(api, 65_000);
  await client`select maintain_triggers('nobody', '{}')`;
  const statements = {
    "select id from claim_runs('a worker', '{}', 1, 1, $1)": NIL,
    "select id from claim_triggers('a worker', 1, $1)": NIL,
    "select wants_events($1)": account,
    "select from maintain_runs($1, '{}')": "nobody",
    "select maintain_triggers($1, '{}')": "nobody",
    "select from expire_runs($1::int)": "100",
  };
  const countAll = async (count: ReturnType<typeof openSession>) => {
    const dear = [];
    for (const [statement, place] of Object.entries(statements)) {
      const { rows, read } = await count(statement, place);
      if (place === NIL) expect(rows).toHaveLength(1);
      if (read > MAX_READ) dear.push([statement, read]);
    }
    return dear;
  };
  // As on a new installation, these plans are made while there are hardly any rows.
  const early = openSession();
  for (let nth = 0; nth < 10; nth++) expect(await countAll(early)).toEqual([]);

  // Ended runs, waiting runs, and ready ones; triggers that are not due, and ready ones.
  await client`
    insert into runs (account_id, id, service_id, operation_id, status, input, max_attempts, caller_type, caller_id, key_ids,
      privacy_tier, request_id, held_credits, last_seq, finished_at, wake_at, ready_at, expires_at)
    select r.account_id, uuidv7(), r.service_id, r.operation_id, kind.status, r.input, 1, r.caller_type, r.caller_id, r.key_ids,
      r.privacy_tier, r.request_id, 0, 1, kind.finished_at, kind.wake_at, kind.ready_at, r.expires_at
    from runs r, (values (1, 'succeeded', now(), null, null), (2, 'running', null, now() + interval '1 hour', null),
      (3, 'queued', null, null, now())) kind (nth, status, finished_at, wake_at, ready_at), generate_series(1, ${MANY}) n
    where r.account_id = ${account} order by kind.nth`;
  await client`
    insert into triggers (account_id, id, space, name, schedule, service_id, operation_id, start, overlap, catch_up_seconds,
      jitter_seconds, caller_type, caller_id, anchor_at, ready_at, updated_at)
    select account_id, uuidv7(), space, name || kind.nth || '-' || n, schedule, service_id, operation_id, start, overlap,
      catch_up_seconds, jitter_seconds, caller_type, caller_id, anchor_at, kind.ready_at, updated_at
    from triggers, (values (1, null), (2, now())) kind (nth, ready_at), generate_series(1, ${MANY}) n
    where account_id = ${account} order by kind.nth`;
  expect(await countAll(early)).toEqual([]);
  expect(await countAll(openSession())).toEqual([]);
  // Statistics of a moment when many were ready; now the newest alone is.
  await client`analyze runs, triggers`;
  await client`update runs set ready_at = null where ready_at is not null and id <> (select id from runs order by id desc limit 1)`;
  await client`update triggers set ready_at = null where ready_at is not null and id <> (select id from triggers order by id desc limit 1)`;
  expect(await countAll(early)).toEqual([]);
  expect(await countAll(openSession())).toEqual([]);
  await setClock(api, 0);
});
