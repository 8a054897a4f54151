import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";
import { openPool } from "./client.ts";

const database = await createTestDatabase();
const pool = openPool(database.url, 1);
afterAll(async () => {
  await pool.close();
  await database.drop();
});

test("keeps a transaction whole behind however many statements are on their way", async () => {
  await pool.client`create table written (n int)`;
  for (let before = 0; before < 50; before++) {
    const statements = Array.from({ length: before }, () => pool.client`select 1`.execute());
    await pool.db.transaction(async (tx) => {
      await tx.execute(sql`insert into written values (${before})`);
    });
    await Promise.all(statements);
  }
  const [row] = await pool.client<{ rows: number }[]>`select count(*)::int as rows from written`;
  expect(row?.rows).toBe(50);
});
