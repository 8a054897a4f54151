import { expect, test } from "vitest";
import { threadMs } from "#server/testing/cpu.ts";
import { provisionDatabase, startWithDatabases } from "#server/testing/transfers.ts";

const api = await startWithDatabases();

const insert = (key: string, rows: object[]) =>
  api.send("POST", "/v1/databases/actions", {
    key,
    body: { actions: [{ type: "rows.upsert", table: "missing", rows, conflictColumns: ["id"] }] },
  });

/** Returns a row of this many columns, whose names begin with `prefix`. */
const rowOf = (prefix: string, columns: number) =>
  Object.fromEntries(Array.from({ length: columns }, (_, nth) => [`${prefix}${nth}`, 1]));

test("refuses rows that together have more columns than a table can have", async () => {
  const key = await provisionDatabase(api);
  const rows = Array.from({ length: 300 }, (_, nth) => rowOf(`row_${nth}_`, 12));
  const refused = await insert(key, rows);
  expect(refused.body.error).toMatchObject({
    status: 400,
    code: "invalid_request",
    issues: [
      {
        path: "body.actions.0.rows",
        message: "Has more than 1600 different columns, the most of one table. Send only the table's.",
      },
    ],
  });
});

test("writes the statements of many rows of many columns one after the other, each when it is run", async () => {
  const key = await provisionDatabase(api);
  const columns = rowOf("x".repeat(50), 1600);
  const costOfRows = async (count: number) => {
    const startedMs = threadMs();
    const { body } = await insert(key, [columns, ...Array(count).fill({})]);
    expect(body.error).toMatchObject({ status: 400, sqlState: "42P01" });
    return threadMs() - startedMs;
  };
  await costOfRows(36);
  const oneStatementMs = await costOfRows(36);
  // These are 270 statements, of which the first fails.
  expect(await costOfRows(9999)).toBeLessThan(10 * oneStatementMs);
});
