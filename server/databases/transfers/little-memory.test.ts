import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startSmallServer } from "#server/testing/server-process.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import {
  deprovisionDatabase,
  endOfTransfer,
  exportArchive,
  importArchive,
  provisionDatabase,
  queryRows,
  runActions,
  startTransfer,
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

test("refuses to export more than 128 MB of definitions, and keeps a database that has them", async () => {
  const key = await provisionDatabase(api);
  await runActions(api, key, [
    `do $$ begin for n in 1..14 loop
      execute format('create table t%s (); comment on table t%s is %L', n, n, repeat('x', 10000000));
    end loop; end $$`,
  ]);
  const refused = {
    status: "failed",
    error: {
      code: "state_conflict",
      message: expect.stringMatching(
        /^An archive of the database can't hold comment on table public\.t\d+, with which all definitions together have more than 128 MB\. Remove it first\.$/,
      ),
    },
  };
  const exported = await startTransfer(api, key, { direction: "export" });
  expect(await alive(endOfTransfer(api, key, exported))).toMatchObject(refused);
  expect(await alive(endOfTransfer(api, key, await deprovisionDatabase(api, key)))).toMatchObject(refused);
  await runActions(api, key, [
    "do $$ begin for n in 3..14 loop execute format('comment on table t%s is null', n); end loop; end $$",
  ]);
  await alive(exportArchive(api, key));
});
