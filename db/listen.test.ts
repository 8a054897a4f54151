import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";
import { connect } from "./connect.ts";
import { listen } from "./listen.ts";

const database = await createTestDatabase();
const admin = connect(database.url, { max: 1 });
afterAll(async () => {
  await admin.end({ timeout: 5 });
  await database.drop();
});

test("receives again after its connection was ended, and says that something may be missed", async () => {
  const received: string[] = [];
  let begun = 0;
  const stop = await listen(
    database.url,
    "things",
    (payload) => received.push(payload),
    () => {
      begun += 1;
    },
  );
  const before = randomUUID();
  await admin`select pg_notify('things', ${before})`;
  await expect.poll(() => received).toEqual([before]);
  await admin`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  await expect.poll(() => begun).toBe(2);
  const after = randomUUID();
  await admin`select pg_notify('things', ${after})`;
  await expect.poll(() => received).toEqual([before, after]);
  await stop();
});
