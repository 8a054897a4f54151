import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ZipFile } from "yazl";
import { defined } from "#server/base/defined.ts";
import { publicKeyOf } from "#server/base/ed25519.ts";
import {
  endOfTransfer,
  exportArchive,
  importArchive,
  provisionDatabase,
  queryRows,
  runActions,
  startTransfer,
  startWithDatabases,
} from "#server/testing/transfers.ts";
import { ArchiveFault, openArchive } from "../archive/read-archive.ts";

const api = await startWithDatabases();
const folder = mkdtempSync(join(tmpdir(), "archives-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ["alter table things force row level security", "the FORCE ROW LEVEL SECURITY of table things"],
  ["grant select on things to postgres", "the rights of postgres on things"],
  ["create policy seen on things to postgres", "the policy seen for postgres"],
  ["revoke select on things from current_user", "the rows of table things, which its owner may not read"],
  [
    "create table more (m int) inherits (things); alter table things add column late int",
    "the order of the columns of table more, whose inherited ones do not come first",
  ],
])("leaves nothing out of an archive in silence: %s", async (sql, what) => {
  const key = await provisionDatabase(api);
  await runActions(api, key, ["create table things (n int)", ...sql.split("; ")]);
  const message = `An archive of the database can't hold ${what}. Remove it first.`;
  const transfer = await endOfTransfer(api, key, await startTransfer(api, key, { direction: "export" }));
  expect(transfer).toMatchObject({
    status: "failed",
    error: { code: "state_conflict", message, entry: null },
  });
  const refused = await api.send("DELETE", "/v1/databases/account", { key });
  expect(refused.body.error).toMatchObject({ status: 409, code: "state_conflict", message });
  expect((await api.send("GET", "/v1/databases/account", { key })).body.database.status).toBe("ready");
});

function zipOf(entries: Record<string, string>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(entries)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return new Response(zip.outputStream as never).arrayBuffer().then((bytes) => Buffer.from(bytes));
}

test("refuses archives that are incomplete or not signed by a trusted key, and leaves nothing behind", async () => {
  const key = await provisionDatabase(api);
  await runActions(api, key, ["create table t as select n from generate_series(1, 10) n"]);
  const good = await exportArchive(api, key);
  const empty = await provisionDatabase(api);
  const cut = await importArchive(api, empty, good.subarray(0, good.length - 200));
  expect(cut).toMatchObject({ status: "failed", error: { code: "invalid_archive" } });
  const turned = Buffer.from(good);
  const place = turned.indexOf("tables/t.ndjson") + 20;
  turned[place] = defined(turned[place]) ^ 0xff;
  expect(await importArchive(api, empty, turned)).toMatchObject({
    status: "failed",
    error: { code: "invalid_archive", entry: "tables/t.ndjson" },
  });
  const inside = await zipOf({ "aa/outside": "x", "manifest.json": "{}" });
  const strange = await importArchive(
    api,
    empty,
    Buffer.from(inside.toString("latin1").replaceAll("aa/out", "../out"), "latin1"),
  );
  expect(strange).toMatchObject({ status: "failed", error: { code: "invalid_archive" } });
  const unsigned = await importArchive(
    api,
    empty,
    await zipOf({ "manifest.json": "{}", "manifest.sig": "x", "schema.sql": "" }),
  );
  expect(unsigned).toMatchObject({ status: "failed", error: { entry: "manifest.json" } });
  const bomb = await zipOf({ "manifest.json": "x", "schema.sql": "0".repeat(40_000_000) });
  const file = join(folder, "bomb.zip");
  writeFileSync(file, bomb);
  await expect(openArchive(file, { maximumBytes: 10_000_000, trusted: null })).rejects.toThrow(ArchiveFault);
  const database = (await api.send("GET", "/v1/databases/account", { key: empty })).body.database;
  expect(database).toMatchObject({ status: "ready", tables: [] });
  const full = await api.send("POST", "/v1/databases/transfers", { key, body: { direction: "import" } });
  expect(full.body.error).toMatchObject({ status: 409, code: "state_conflict" });
  const dry = await importArchive(api, key, good, { dryRun: true });
  expect(dry).toMatchObject({
    status: "completed",
    difference: { tables: [{ name: "t", change: "kept", archiveRows: 10, databaseRows: 10 }] },
  });
});

test("checks untrusted archives at the cost of reading them, and names the faulty entries", async () => {
  const key = await provisionDatabase(api);
  const named = await importArchive(api, key, await zipOf({ [`a\0${"b".repeat(60_000)}`]: "" }));
  expect(named).toMatchObject({
    status: "failed",
    error: { code: "invalid_archive", entry: `a${"b".repeat(299)}` },
  });
  const publicKey = publicKeyOf(api.platform.settings.archiveSigningKey);
  // As many faults as fit into a manifest: reporting each of them would take gigabytes.
  const manifest = `{"publicKey": "${publicKey}", "format": "managed-database/1", "files": [${"0,".repeat(8_000_000)}0]}`;
  const before = process.memoryUsage().rss;
  const forged = await importArchive(
    api,
    key,
    await zipOf({ "manifest.json": manifest, "manifest.sig": "x" }),
  );
  expect(forged.error).toMatchObject({
    entry: "manifest.sig",
    message: "The signature does not fit the manifest.",
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
});

test("says which table holds a row that the database refuses, and applies nothing", async () => {
  const key = await provisionDatabase(api);
  const [[name] = []] = await queryRows(api, key, "select current_database()");
  await runActions(api, key, [
    `create domain home as int constraint at_home check (current_database() = '${name}')`,
    "create table good as select 1 as n",
    "create table guests (n home)",
    "insert into guests values (1)",
  ]);
  const other = await provisionDatabase(api);
  const message = `It can't be loaded: value for domain home violates check constraint "at_home".`;
  expect(await importArchive(api, other, await exportArchive(api, key))).toMatchObject({
    status: "failed",
    error: { code: "invalid_archive", message, entry: "tables/guests.ndjson" },
  });
  expect((await api.send("GET", "/v1/databases/account", { key: other })).body.database.tables).toEqual([]);
});
