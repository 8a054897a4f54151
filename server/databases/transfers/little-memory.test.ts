import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startSmallServer } from "#server/testing/server-process.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import {
  exportArchive,
  importArchive,
  provisionDatabase,
  queryRows,
  runActions,
} from "#server/testing/transfers.ts";

const folder = mkdtempSync(join(tmpdir(), "test-little-memory-"));
const tenants = await startTenantCluster();
const api = await startApi({ settings: { tenantClusters: [tenants.cluster], blobs: { folder } } });
afterAll(async () => {
  await tenants.drop();
  rmSync(folder, { recursive: true, force: true });
});

const { child } = await startSmallServer(api.databaseUrl, folder, tenants.url("postgres"), "--jobs");
const death = once(child, "exit").then(([code, signal]) => {
  throw new Error(`The worker died: ${signal ?? code}.`);
});
death.catch(() => undefined);
/** Fails as soon as the worker dies, rather than when the test is out of time. */
const alive = <T>(work: Promise<T>): Promise<T> => Promise.race([work, death]);

test("carries values of many megabytes", async () => {
  const key = await provisionDatabase(api);
  await runActions(api, key, [
    "create table long (name text, j json, b jsonb, texts text[], numbers int[], line text)",
    "insert into long (name, j) values ('string', to_json(repeat('x', 10000000)))",
    "insert into long (name, j) values ('objects', ('[' || repeat('{},', 5000000) || '{}]')::json)",
    "insert into long (name, b) values ('numbers', ('[' || repeat('1,', 2000000) || '1]')::jsonb)",
    "insert into long (name, texts) values ('texts', array[repeat('\"\\', 5000000)])",
    "insert into long (name, numbers) values ('elements', array_fill(1, array[5000000]))",
    "insert into long (name, line) values ('lines', repeat(E'\\n\\\\', 5000000))",
  ]);
  const other = await provisionDatabase(api);
  const archive = await alive(exportArchive(api, key));
  expect(await alive(importArchive(api, other, archive))).toMatchObject({ status: "completed", error: null });
  const hashes = `select name, md5(concat_ws(' ', j, b, texts, numbers, line)) from long order by name`;
  expect(await queryRows(api, other, hashes)).toEqual(await queryRows(api, key, hashes));
});
