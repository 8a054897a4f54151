import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { installCli } from "#server/testing/cli.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";

const tenants = await startTenantCluster();
const api = await startApi({ settings: { tenantClusters: [tenants.cluster] } });
afterAll(() => tenants.drop());
const { key } = await api.createRootKey();
const cli = await installCli(api.origin);
const { json, run } = cli.computer({ PLATFORM_API_KEY: key, PLATFORM_URL: api.origin });
await json("databases", "account", "provision");
const sql = "create table orders (id bigint, note text)";
await json("databases", "actions", "--actions", JSON.stringify([{ type: "sql", sql }]));

test("reads rows as JSON, CSV and tables, also of two columns with one name", async () => {
  const sql = "select n as id, 'a,' || n as note, null as id from generate_series(1, 2) n";
  const lines = await run(["db", sql]);
  expect(lines.stdout).toBe('{"id":1,"note":"a,1","id_2":null}\n{"id":2,"note":"a,2","id_2":null}\n');
  expect((await run(["db", sql, "-o", "csv"])).stdout).toBe('id,note,id_2\r\n1,"a,1",\r\n2,"a,2",\r\n');
  expect((await run(["db", sql, "-o", "table"])).stdout).toMatch(/^ID +NOTE +ID_2\n1 +a,1\n2 +a,2\n$/);
});

test("reads one page, or every row", async () => {
  const sql = "select n from generate_series(1, 2500) n";
  const page = await run(["db", sql]);
  const all = await run(["db", sql, "--all"]);
  expect(page.stderr).toContain("--all");
  expect(all.stdout.trim().split("\n")).toHaveLength(2500);
  expect(page.stdout.trim().split("\n").length).toBeLessThan(2500);
});

test("executes statements and its own commands in order, and stops at a fault", async () => {
  const input = "\\dt\n\\d orders\nselect 1\n  as one;\nselect 2 as two";
  const result = await run(["db"], { input });
  expect(
    result.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([
    expect.objectContaining({ name: "orders" }),
    expect.objectContaining({ name: "id", type: "bigint" }),
    expect.objectContaining({ name: "note", type: "text" }),
    { one: 1 },
    { two: 2 },
  ]);
  const faulty = await run(["db"], { input: "select nothing;\nselect 1;\n" });
  expect([faulty.code, faulty.stdout]).toEqual([expect.any(Number), ""]);
  expect(faulty.code).not.toBe(0);
  expect((await run(["db"], { input: "\\x\n" })).code).toBe(2);
  expect((await run(["db", "insert into orders values (1)"])).code).not.toBe(0);
});
