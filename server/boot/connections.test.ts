import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "../testing/database.ts";
import { checkConnections } from "./connections.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

test("lets a process start that the database can serve", async () => {
  await expect(checkConnections(database.url, 8)).resolves.toBe(undefined);
});

test("refuses a start that would pass max_connections, naming the sum", async () => {
  const sql = postgres(database.url, { max: 3 });
  await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.1)`));
  await expect(checkConnections(database.url, 95)).rejects.toThrow(
    /^The database allows 97 connections; \d+ are in use and this process needs 95, \d+ in all\. Raise max_connections, or start fewer processes\.$/,
  );
  await sql.end();
});
