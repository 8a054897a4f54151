import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, inArray } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { databaseTransferParts, databaseTransfers } from "#db/schema/databases.ts";
import { defined } from "#server/base/defined.ts";
import { publicKeyOf } from "#server/base/ed25519.ts";
import { readBlob } from "#server/blobs/queries.ts";
import { sweepBlobs } from "#server/blobs/sweep-blobs.ts";
import {
  endOfTransfer,
  exportArchive,
  importArchive,
  provisionDatabase,
  queryRows,
  runActions,
  sha256,
  startTransfer,
  startWithDatabases,
  uploadPart,
} from "#server/testing/transfers.ts";
import { openArchive } from "../archive/read-archive.ts";
import { expireTransfers } from "./expire-transfers.ts";

const api = await startWithDatabases();
const folder = mkdtempSync(join(tmpdir(), "archives-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const readTransfer = async (key: string, id: string) =>
  (await api.send("GET", `/v1/databases/transfers/${id}`, { key })).body.transfer;

async function download(key: string, id: string) {
  const response = await fetch(`${api.origin}/v1/databases/transfers/${id}/archive`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

const SCHEMA = [
  "create type mood as enum ('sad', 'happy')",
  "create table people (id int8 generated always as identity primary key, name text not null unique, mood mood default 'happy', tags text[], extra json, at timestamptz default '2027-01-31 12:00:00.123456+00')",
  "create table orders (id serial primary key, person int8 references people, total numeric(20,8) check (total >= 0), doubled numeric generated always as (total * 2) stored)",
  "create index orders_person on orders (person)",
  "create view spent as select p.name, sum(o.total) as total from people p join orders o on o.person = p.id group by p.name",
  "create function shout(word text) returns text language sql as $$ select upper(word) || '!' $$",
  `insert into people (name, mood, tags, extra) values ('Ada', 'sad', '{a,"b c",NULL}', '{"n": 12345678901234567890.10}'), ('Bob "the" ü', default, null, null)`,
  "insert into orders (person, total) select 1, n + 0.12345678 from generate_series(1, 1000) n",
  "create table odd (flag bool, zero float8, raw bytea, grid int4[][], docs jsonb[], words text[], at timestamptz, text text)",
  `insert into odd values (true, '-0', '\\x00ff', '{{1,2},{3,NULL}}', array['{"n": 1.10}'::jsonb, null], '{"tab\t","\\\\n"}', 'infinity', E'tab\\tline\\nback\\\\slash \\\\N')`,
  "insert into odd default values",
  "create table bare ()",
  "insert into bare default values",
];

test("carries a database out and into another account's, with its structure and every digit", async () => {
  const key = await provisionDatabase(api);
  await runActions(api, key, SCHEMA);
  const bytes = await exportArchive(api, key);
  const other = await provisionDatabase(api);
  expect(await importArchive(api, other, bytes)).toMatchObject({ status: "completed", error: null });
  for (const sql of [
    "select id, name, mood::text, tags, extra, at from people order by id",
    "select sum(total)::text, sum(doubled)::text, count(*)::int from orders",
    "select * from spent",
    "select shout('hello')",
    "select odd::text from odd",
    "select count(*) from bare",
  ])
    expect(await queryRows(api, other, sql)).toEqual(await queryRows(api, key, sql));
  const structure = async (owner: string) =>
    (await api.send("GET", "/v1/databases/account", { key: owner })).body.database.tables.map(
      ({ sizeBytes: _, rowEstimate: __, ...table }: Record<string, unknown>) => table,
    );
  expect(await structure(other)).toEqual(await structure(key));
  await runActions(api, other, [
    "insert into people (name) values ('Cleo')",
    "insert into orders (person, total) values (3, 1)",
  ]);
  expect(
    await queryRows(api, other, "select (select max(id) from people), (select max(id) from orders)"),
  ).toEqual([["3", 1001]]);
});

test("carries row security with its policies", async () => {
  const key = await provisionDatabase(api);
  await runActions(api, key, [
    "create table notes (owner text, body text)",
    "insert into notes values ('ada', 'hers'), ('bob', 'his')",
    "alter table notes enable row level security",
    "create policy own on notes as restrictive for update using (owner = current_user) with check (body <> '')",
    "create policy seen on notes for select to current_user using (true)",
  ]);
  const other = await provisionDatabase(api);
  expect(await importArchive(api, other, await exportArchive(api, key))).toMatchObject({
    status: "completed",
    error: null,
  });
  const policies = `select p.polname, p.polpermissive, p.polcmd::text, 0 = any(p.polroles) as everybody, pg_get_expr(p.polqual, p.polrelid),
    pg_get_expr(p.polwithcheck, p.polrelid), c.relrowsecurity from pg_policy p join pg_class c on c.oid = p.polrelid order by 1`;
  expect(await queryRows(api, other, policies)).toEqual([
    ["own", false, "w", true, "(owner = CURRENT_USER)", "(body <> ''::text)", true],
    ["seen", true, "r", false, "true", null, true],
  ]);
  expect(await queryRows(api, other, "select body from notes order by body")).toEqual([["hers"], ["his"]]);
});

test("answers the archive with its checksum and the key that signed it, in ranges too", async () => {
  const key = await provisionDatabase(api);
  await runActions(api, key, ["create table t as select 1 as n"]);
  const id = await startTransfer(api, key, { direction: "export" });
  await endOfTransfer(api, key, id);
  const { response, bytes } = await download(key, id);
  expect(response.headers.get("content-type")).toBe("application/zip");
  expect(response.headers.get("x-content-sha256")).toBe(sha256(bytes));
  const publicKey = defined(response.headers.get("x-service-archive-public-key"));
  const file = join(folder, `${id}.zip`);
  writeFileSync(file, bytes);
  const archive = await openArchive(file, { maximumBytes: 1e9, trusted: [publicKey] });
  expect(archive.manifest.tables).toEqual([{ name: "t", rows: 1 }]);
  archive.close();
  await expect(
    openArchive(file, { maximumBytes: 1e9, trusted: [Buffer.alloc(32).toString("base64")] }),
  ).rejects.toThrow("not trusted here");
  await api.send("DELETE", `/v1/databases/transfers/${id}`, { key });
  expect((await download(key, id)).response.status).toBe(409);
});

test("imports an archive of the earlier signing key once that key is trusted", async () => {
  const { settings } = api.platform;
  const earlier = publicKeyOf(settings.archiveSigningKey);
  const key = await provisionDatabase(api);
  await runActions(api, key, ["create table t as select 1 as n"]);
  const bytes = await exportArchive(api, key);
  settings.archiveSigningKey = generateKeyPairSync("ed25519").privateKey;
  const other = await provisionDatabase(api);
  expect((await importArchive(api, other, bytes)).error).toMatchObject({
    message: `It is signed by the key ${earlier}, which is not trusted here. Set TRUSTED_ARCHIVE_KEYS.`,
  });
  settings.trustedArchiveKeys = [earlier];
  expect((await importArchive(api, other, bytes)).status).toBe("completed");
  expect(await queryRows(api, other, "select n from t")).toEqual([[1]]);
});

test("refuses holes, other parts, wrong sums and late changes, and stays open for the right ones", async () => {
  const key = await provisionDatabase(api);
  const id = await startTransfer(api, key, { direction: "import" });
  const part = Buffer.from("no zip");
  const complete = (parts: unknown[]) =>
    api.send("POST", `/v1/databases/transfers/${id}/complete`, { key, body: { parts } });
  expect((await complete([{ partNumber: 1, sha256: sha256(part) }])).body.error).toMatchObject({
    status: 409,
  });
  const headers = { "x-content-sha256": sha256(Buffer.from("other")) };
  const wrongSum = await uploadPart(api, key, id, { partNumber: 1, bytes: part, headers });
  expect(wrongSum.body.error).toMatchObject({ status: 422, code: "checksum_mismatch" });
  expect((await uploadPart(api, key, id, { partNumber: 0, bytes: part })).body.error).toMatchObject({
    status: 400,
  });
  expect((await uploadPart(api, key, id, { partNumber: 10_001, bytes: part })).body.error).toMatchObject({
    status: 400,
  });
  expect(
    (await uploadPart(api, key, id, { partNumber: 1, bytes: Buffer.alloc(0) })).body.error,
  ).toMatchObject({ status: 400 });
  await uploadPart(api, key, id, { partNumber: 1, bytes: Buffer.from("replaced") });
  await uploadPart(api, key, id, { partNumber: 1, bytes: part });
  await uploadPart(api, key, id, { partNumber: 3, bytes: part });
  const sum = sha256(part);
  const hole = await complete([
    { partNumber: 1, sha256: sum },
    { partNumber: 3, sha256: sum },
  ]);
  expect(hole.body.error).toMatchObject({ status: 400, issues: [{ path: "body.parts.1.partNumber" }] });
  const wrong = await complete([{ partNumber: 1, sha256: sha256(Buffer.from("x")) }]);
  expect(wrong.body.error).toMatchObject({ status: 422, code: "checksum_mismatch" });
  expect((await complete([{ partNumber: 1, sha256: sum }])).body.error).toMatchObject({ status: 400 });
  await uploadPart(api, key, id, { partNumber: 2, bytes: part });
  const done = await complete([1, 2, 3].map((partNumber) => ({ partNumber, sha256: sum })));
  expect(done).toMatchObject({ status: 202, body: { transfer: { status: "validating" } } });
  expect(await endOfTransfer(api, key, id)).toMatchObject({
    status: "failed",
    error: { code: "invalid_archive" },
  });
  expect((await uploadPart(api, key, id, { partNumber: 1, bytes: part })).body.error).toMatchObject({
    status: 409,
    code: "state_conflict",
  });
});

test("ends transfers that nobody completes or downloads in time, and keeps none of their bytes", async () => {
  const { db } = api.platform.database;
  const key = await provisionDatabase(api);
  const left = await startTransfer(api, key, { direction: "import" });
  const part = Buffer.from("a part");
  await uploadPart(api, key, left, { partNumber: 1, bytes: part });
  const kept = await startTransfer(api, key, { direction: "export" });
  await endOfTransfer(api, key, kept);
  const [uploaded] = await db
    .select()
    .from(databaseTransferParts)
    .where(eq(databaseTransferParts.transferId, left));
  const overdue = await db
    .update(databaseTransfers)
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .where(inArray(databaseTransfers.id, [left, kept]))
    .returning();
  const built = overdue.find(({ id }) => id === kept);
  await expireTransfers(db);

  expect(await readTransfer(key, left)).toMatchObject({ status: "expired", parts: [] });
  expect(await readTransfer(key, kept)).toMatchObject({ status: "expired", archive: null });
  expect((await uploadPart(api, key, left, { partNumber: 2, bytes: part })).body.error).toMatchObject({
    status: 409,
    code: "state_conflict",
  });
  expect((await download(key, kept)).response.status).toBe(409);
  await sweepBlobs(db, api.platform.blobs);
  for (const blob of [uploaded?.blobKey, built?.archive?.key])
    await expect(readBlob(defined(blob))).rejects.toThrow("is not available");
});
