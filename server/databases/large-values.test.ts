import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { clientOf, startApi } from "#server/testing/api.ts";
import { threadMs } from "#server/testing/cpu.ts";
import { startSmallServer } from "#server/testing/server-process.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import { provisionDatabase } from "#server/testing/transfers.ts";

const MILLION = 1_000_000;
const tenants = await startTenantCluster();
const api = await startApi({ settings: { tenantClusters: [tenants.cluster] } });
const folder = mkdtempSync(join(tmpdir(), "test-large-values-"));
afterAll(async () => {
  await tenants.drop();
  rmSync(folder, { recursive: true, force: true });
});

const { origin, child } = await startSmallServer(api.databaseUrl, folder, tenants.url("postgres"));
const small = clientOf(origin);

const insert = (send: typeof api.send, key: string, rows: object[]) =>
  send("POST", "/v1/databases/actions", {
    key,
    body: { actions: [{ type: "rows.upsert", table: "missing", rows, conflictColumns: ["id"] }] },
  });

/** Returns a row of columns whose names are numbers in base 36, from `first` on. */
const rowOf = (first: number, columns: number, prefix = "") =>
  Object.fromEntries(
    Array.from({ length: columns }, (_, nth) => [`${prefix}${(first + nth).toString(36)}`, 1]),
  );

test("refuses rows that together have more columns than a table can have", async () => {
  const key = await provisionDatabase(api);
  const rows = Array.from({ length: 10_000 }, (_, nth) => rowOf(10 * nth, 10));
  const refused = await insert(small.send, key, rows);
  expect(refused.body.error).toMatchObject({
    status: 400,
    code: "invalid_request",
    issues: [
      {
        path: "body.actions.0.rows",
        message: expect.stringMatching(
          /^Has more than 1600 different columns, the most of one table\. Send only the table's\./,
        ),
      },
    ],
  });
});

test("writes the statements of many rows of many columns one after the other, each when it is run", async () => {
  const key = await provisionDatabase(api);
  const columns = rowOf(0, 1600, "x".repeat(50));
  const costOfRows = async (count: number) => {
    const startedMs = threadMs();
    const { body } = await insert(api.send, key, [columns, ...Array(count).fill({})]);
    expect(body.error).toMatchObject({ status: 400, sqlState: "42P01" });
    return threadMs() - startedMs;
  };
  await costOfRows(36);
  const oneStatementMs = await costOfRows(36);
  // These are 270 statements, of which the first fails.
  expect(await costOfRows(9999)).toBeLessThan(10 * oneStatementMs);
});

test.each([
  { value: "to_json(repeat('x', 10000000))", expected: "x".repeat(10 * MILLION) },
  { value: "to_json(repeat('\\\"', 5000000))", expected: '\\"'.repeat(5 * MILLION) },
  { value: "array[repeat('a ', 6000000)]", expected: ["a ".repeat(6 * MILLION)] },
  { value: "array[repeat('\"\\', 5000000)]", expected: ['"\\'.repeat(5 * MILLION)] },
  { value: "('[' || repeat('1, ', 8000000) || '1]')::json", expected: Array(8 * MILLION + 1).fill(1) },
  { value: "array_fill(1, array[8000000])", expected: Array(8 * MILLION).fill(1) },
])("answers $value in a process of little memory", async ({ value, expected }) => {
  const key = await provisionDatabase(api);
  const body = { sql: `select ${value}` };
  const answered = await small.send("POST", "/v1/databases/query", { key, body, idempotencyKey: null });
  // `toEqual` would take minutes for millions of elements.
  expect(JSON.stringify(answered.body.rows) === JSON.stringify([[expected]])).toBe(true);
  expect(child.exitCode).toBe(null);
});
