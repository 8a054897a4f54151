import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#db/client.ts";
import { defined } from "#server/base/defined.ts";
import { keptBytesFaults } from "#server/testing/kept-bytes.ts";
import { createOldDatabase } from "#server/testing/old-database.ts";
import { migrate } from "../migrate.ts";

const account = "01a216b1-475c-7974-9362-d153829f486c";
const ended = "01a216b1-475c-7974-9362-d15382900001";
const live = "01a216b1-475c-7974-9362-d15382900002";

test("counts the runs and events that are there already, and gives them back", async () => {
  const { url, tags, migrateTo } = await createOldDatabase("migrate_kept_bytes");
  await migrateTo(defined(tags[tags.findIndex((tag) => tag.endsWith("kept_bytes")) - 1]));
  const client = postgres(url, { max: 1, onnotice: () => undefined });
  const old = drizzle(client);
  for (const [id, finishedAt] of [
    [ended, "2026-01-01"],
    [live, null],
  ])
    await old.execute(sql`
      with run as (
        insert into runs (account_id, id, service_id, operation_id, status, input, max_attempts, caller_type, caller_id, key_ids,
          privacy_tier, request_id, held_credits, last_seq, expires_at, finished_at)
        values (${account}, ${id}, 'managed-memory', 'put', 'succeeded', convert_to(repeat('x', 5000), 'UTF8'), 1, 'key', ${account},
          '{}', 'standard', 'req', 0, 2, now(), ${finishedAt}::timestamptz)),
      step as (
        insert into run_steps (account_id, run_id, name, state, output, at)
        values (${account}, ${id}, 'first', 'done', convert_to(repeat('x', 20000), 'UTF8'), now()))
      insert into run_timeline (account_id, run_id, seq, at, type, level, message, data)
      values (${account}, ${id}, 2, now(), 'log', 'info', repeat('x', 300), '{}')`);
  await old.execute(sql`
    insert into sent_events (account_id, id, space, name, data, privacy_tier, sent_at)
    values (${account}, ${ended}, ${account}, 'old', convert_to(repeat('x', 1000), 'UTF8'), 'standard', now())`);
  await client.end();

  const database = openDatabase(await migrate(url));
  onTestFinished(() => database.close());
  const { db } = database;
  const kept = async () => [
    ...(await db.execute(sql`select kind, sum(bytes)::int as bytes from kept_bytes group by 1 order by 1`)),
  ];
  expect(await kept()).toEqual([
    { kind: "events", bytes: 1512 },
    // The timeline of ended runs is not counted.
    { kind: "runs", bytes: 25_000 + 25_302 },
  ]);
  expect(await keptBytesFaults(db)).toEqual([]);
  await db.execute(sql`select forget_run(${account}, ${ended})`);
  await db.execute(sql`select forget_steps(${account}, ${ended}, 1000000)`);
  await db.execute(sql`select drop_events(now() + interval '1 hour', 10)`);
  expect(await kept()).toEqual([
    { kind: "events", bytes: 0 },
    { kind: "runs", bytes: 25_302 },
  ]);
  expect(await keptBytesFaults(db)).toEqual([]);
});
