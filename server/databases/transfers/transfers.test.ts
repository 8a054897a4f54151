import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, inArray } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { ZipFile } from "yazl";
import { databaseTransferParts, databaseTransfers } from "#db/schema/databases.ts";
import { readBlob } from "#server/blobs/queries.ts";
import { sweepBlobs } from "#server/blobs/sweep-blobs.ts";
import { makeTasks } from "#server/jobs/tasks.ts";
import { startWorker } from "#server/jobs/worker.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { decide } from "#server/testing/approvals.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import { publicKeyOf } from "../archive/manifest.ts";
import { ArchiveFault, openArchive } from "../archive/read-archive.ts";
import { expireTransfers } from "./expire-transfers.ts";

const tenants = await startTenantCluster();
const api = await startApi({ settings: { tenantClusters: [tenants.cluster] } });
const worker = await startWorker({ url: api.databaseUrl, tasks: makeTasks(api.platform) });
const folder = mkdtempSync(join(tmpdir(), "archives-"));
afterAll(async () => {
  await worker.stop();
  await tenants.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function provisioned() {
  const { key } = await api.createRootKey();
  await api.send("POST", "/v1/databases/account", { key, body: {} });
  return key;
}

async function run(key: string, ...statements: string[]) {
  const actions = statements.map((sql) => ({ type: "sql", sql }));
  const body = { actions, timeoutMs: 60_000 };
  const answer = await api.send("POST", "/v1/databases/actions", { key, body });
  expect(answer.body).toMatchObject({ ok: true });
}

async function rowsOf(key: string, sql: string) {
  const answer = await api.send("POST", "/v1/databases/query", { key, body: { sql }, idempotencyKey: null });
  return answer.body.rows;
}

async function start(key: string, body: Record<string, unknown>): Promise<string> {
  const made = await api.send("POST", "/v1/databases/transfers", { key, body });
  return made.body.transfer.id;
}

const read = async (key: string, id: string) =>
  (await api.send("GET", `/v1/databases/transfers/${id}`, { key })).body.transfer;

async function ended(key: string, id: string) {
  await expect
    .poll(async () => (await read(key, id)).status, { interval: 100 })
    .toMatch(/ready|completed|failed/);
  return read(key, id);
}

async function download(key: string, id: string) {
  const response = await fetch(`${api.origin}/v1/databases/transfers/${id}/archive`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

async function exported(key: string) {
  const id = await start(key, { direction: "export" });
  expect(await ended(key, id)).toMatchObject({ status: "ready", error: null });
  return (await download(key, id)).bytes;
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function upload(key: string, id: string, partNumber: number, bytes: Uint8Array, headers = {}) {
  const response = await fetch(`${api.origin}/v1/databases/transfers/${id}/parts/${partNumber}`, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${key}`,
      "idempotency-key": unique("part"),
      "content-type": "application/zip",
      ...headers,
    },
    body: Buffer.from(bytes),
  });
  return { status: response.status, body: await response.json() };
}

/** Imports an archive in pieces, the last one first. */
async function imported(key: string, bytes: Buffer, body: Record<string, unknown> = {}) {
  const id = await start(key, { direction: "import", ...body });
  const half = Math.ceil(bytes.length / 2);
  const parts = [bytes.subarray(0, half), bytes.subarray(half)];
  expect((await upload(key, id, 2, parts[1] as Buffer)).status).toBe(200);
  expect((await upload(key, id, 1, parts[0] as Buffer)).status).toBe(200);
  const named = parts.map((part, place) => ({ partNumber: place + 1, sha256: sha256(part) }));
  const completed = await api.send("POST", `/v1/databases/transfers/${id}/complete`, {
    key,
    body: { parts: named },
  });
  expect(completed.status).toBe(202);
  return ended(key, id);
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
  const key = await provisioned();
  await run(key, ...SCHEMA);
  const bytes = await exported(key);
  const other = await provisioned();
  expect(await imported(other, bytes)).toMatchObject({ status: "completed", error: null });
  for (const sql of [
    "select id, name, mood::text, tags, extra, at from people order by id",
    "select sum(total)::text, sum(doubled)::text, count(*)::int from orders",
    "select * from spent",
    "select shout('hello')",
    "select odd::text from odd",
    "select count(*) from bare",
  ])
    expect(await rowsOf(other, sql)).toEqual(await rowsOf(key, sql));
  const structure = async (owner: string) =>
    (await api.send("GET", "/v1/databases/account", { key: owner })).body.database.tables.map(
      ({ sizeBytes: _, rowEstimate: __, ...table }: Record<string, unknown>) => table,
    );
  expect(await structure(other)).toEqual(await structure(key));
  await run(
    other,
    "insert into people (name) values ('Cleo')",
    "insert into orders (person, total) values (3, 1)",
  );
  expect(await rowsOf(other, "select (select max(id) from people), (select max(id) from orders)")).toEqual([
    ["3", 1001],
  ]);
});

test("carries row security with its policies", async () => {
  const key = await provisioned();
  await run(
    key,
    "create table notes (owner text, body text)",
    "insert into notes values ('ada', 'hers'), ('bob', 'his')",
    "alter table notes enable row level security",
    "create policy own on notes as restrictive for update using (owner = current_user) with check (body <> '')",
    "create policy seen on notes for select to current_user using (true)",
  );
  const other = await provisioned();
  expect(await imported(other, await exported(key))).toMatchObject({ status: "completed", error: null });
  const policies = `select p.polname, p.polpermissive, p.polcmd::text, 0 = any(p.polroles) as everybody, pg_get_expr(p.polqual, p.polrelid),
    pg_get_expr(p.polwithcheck, p.polrelid), c.relrowsecurity from pg_policy p join pg_class c on c.oid = p.polrelid order by 1`;
  expect(await rowsOf(other, policies)).toEqual([
    ["own", false, "w", true, "(owner = CURRENT_USER)", "(body <> ''::text)", true],
    ["seen", true, "r", false, "true", null, true],
  ]);
  expect(await rowsOf(other, "select body from notes order by body")).toEqual([["hers"], ["his"]]);
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
  const key = await provisioned();
  await run(key, "create table things (n int)", ...sql.split("; "));
  const message = `An archive of the database can't hold ${what}. Remove it first.`;
  const transfer = await ended(key, await start(key, { direction: "export" }));
  expect(transfer).toMatchObject({
    status: "failed",
    error: { code: "state_conflict", message, entry: null },
  });
  const refused = await api.send("DELETE", "/v1/databases/account", { key });
  expect(refused.body.error).toMatchObject({ status: 409, code: "state_conflict", message });
  expect((await api.send("GET", "/v1/databases/account", { key })).body.database.status).toBe("ready");
});

test("answers the archive with its checksum and the key that signed it, in ranges too", async () => {
  const key = await provisioned();
  await run(key, "create table t as select 1 as n");
  const id = await start(key, { direction: "export" });
  await ended(key, id);
  const { response, bytes } = await download(key, id);
  expect(response.headers.get("content-type")).toBe("application/zip");
  expect(response.headers.get("x-content-sha256")).toBe(sha256(bytes));
  const publicKey = response.headers.get("x-service-archive-public-key") as string;
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

test("refuses holes, other parts, wrong sums and late changes, and stays open for the right ones", async () => {
  const key = await provisioned();
  const id = await start(key, { direction: "import" });
  const part = Buffer.from("no zip");
  const complete = (parts: unknown[]) =>
    api.send("POST", `/v1/databases/transfers/${id}/complete`, { key, body: { parts } });
  expect((await complete([{ partNumber: 1, sha256: sha256(part) }])).body.error).toMatchObject({
    status: 409,
  });
  const wrongSum = await upload(key, id, 1, part, { "x-content-sha256": sha256(Buffer.from("other")) });
  expect(wrongSum.body.error).toMatchObject({ status: 422, code: "checksum_mismatch" });
  expect((await upload(key, id, 0, part)).body.error).toMatchObject({ status: 400 });
  expect((await upload(key, id, 10_001, part)).body.error).toMatchObject({ status: 400 });
  expect((await upload(key, id, 1, Buffer.alloc(0))).body.error).toMatchObject({ status: 400 });
  await upload(key, id, 1, Buffer.from("replaced"));
  await upload(key, id, 1, part);
  await upload(key, id, 3, part);
  const sum = sha256(part);
  const hole = await complete([
    { partNumber: 1, sha256: sum },
    { partNumber: 3, sha256: sum },
  ]);
  expect(hole.body.error).toMatchObject({ status: 400, issues: [{ path: "body.parts.1.partNumber" }] });
  const wrong = await complete([{ partNumber: 1, sha256: sha256(Buffer.from("x")) }]);
  expect(wrong.body.error).toMatchObject({ status: 422, code: "checksum_mismatch" });
  expect((await complete([{ partNumber: 1, sha256: sum }])).body.error).toMatchObject({ status: 400 });
  await upload(key, id, 2, part);
  const done = await complete([1, 2, 3].map((partNumber) => ({ partNumber, sha256: sum })));
  expect(done).toMatchObject({ status: 202, body: { transfer: { status: "validating" } } });
  expect(await ended(key, id)).toMatchObject({ status: "failed", error: { code: "invalid_archive" } });
  expect((await upload(key, id, 1, part)).body.error).toMatchObject({ status: 409, code: "state_conflict" });
});

test("ends what nobody completes or fetches in time, and keeps none of its bytes", async () => {
  const { db } = api.platform.database;
  const key = await provisioned();
  const left = await start(key, { direction: "import" });
  const part = Buffer.from("a part");
  await upload(key, left, 1, part);
  const kept = await start(key, { direction: "export" });
  await ended(key, kept);
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

  expect(await read(key, left)).toMatchObject({ status: "expired", parts: [] });
  expect(await read(key, kept)).toMatchObject({ status: "expired", archive: null });
  expect((await upload(key, left, 2, part)).body.error).toMatchObject({
    status: 409,
    code: "state_conflict",
  });
  expect((await download(key, kept)).response.status).toBe(409);
  await sweepBlobs(db, api.platform.blobs);
  for (const blob of [uploaded?.blobKey, built?.archive?.key])
    await expect(readBlob(blob as string)).rejects.toThrow("is not available");
});

function zipOf(entries: Record<string, string>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(entries)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return new Response(zip.outputStream as never).arrayBuffer().then((bytes) => Buffer.from(bytes));
}

test("refuses what is no whole archive of a trusted key, and leaves nothing behind", async () => {
  const key = await provisioned();
  await run(key, "create table t as select n from generate_series(1, 10) n");
  const good = await exported(key);
  const empty = await provisioned();
  const cut = await imported(empty, good.subarray(0, good.length - 200));
  expect(cut).toMatchObject({ status: "failed", error: { code: "invalid_archive" } });
  const turned = Buffer.from(good);
  const place = turned.indexOf("tables/t.ndjson") + 20;
  turned[place] = (turned[place] as number) ^ 0xff;
  expect(await imported(empty, turned)).toMatchObject({
    status: "failed",
    error: { code: "invalid_archive", entry: "tables/t.ndjson" },
  });
  const inside = await zipOf({ "aa/outside": "x", "manifest.json": "{}" });
  const strange = await imported(
    empty,
    Buffer.from(inside.toString("latin1").replaceAll("aa/out", "../out"), "latin1"),
  );
  expect(strange).toMatchObject({ status: "failed", error: { code: "invalid_archive" } });
  const unsigned = await imported(
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
  const dry = await imported(key, good, { dryRun: true });
  expect(dry).toMatchObject({
    status: "completed",
    difference: { tables: [{ name: "t", change: "kept", archiveRows: 10, databaseRows: 10 }] },
  });
});

test("judges what strangers write into archives at the cost of reading it, and tells their names", async () => {
  const key = await provisioned();
  const named = await imported(key, await zipOf({ [`a\0${"b".repeat(60_000)}`]: "" }));
  expect(named).toMatchObject({
    status: "failed",
    error: { code: "invalid_archive", entry: `a${"b".repeat(299)}` },
  });
  const publicKey = publicKeyOf(api.platform.settings.archiveSigningKey);
  // As many faults as fit into a manifest: to tell each of them would take gigabytes.
  const manifest = `{"publicKey": "${publicKey}", "format": "managed-database/1", "files": [${"0,".repeat(8_000_000)}0]}`;
  const before = process.memoryUsage().rss;
  const forged = await imported(key, await zipOf({ "manifest.json": manifest, "manifest.sig": "x" }));
  expect(forged.error).toMatchObject({
    entry: "manifest.sig",
    message: "The signature does not fit the manifest.",
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
});

test("says which table holds a row that the database refuses, and applies nothing", async () => {
  const key = await provisioned();
  const [[name]] = await rowsOf(key, "select current_database()");
  await run(
    key,
    `create domain home as int constraint at_home check (current_database() = '${name}')`,
    "create table good as select 1 as n",
    "create table guests (n home)",
    "insert into guests values (1)",
  );
  const other = await provisioned();
  const message = `It can't be loaded: value for domain home violates check constraint "at_home".`;
  expect(await imported(other, await exported(key))).toMatchObject({
    status: "failed",
    error: { code: "invalid_archive", message, entry: "tables/guests.ndjson" },
  });
  expect((await api.send("GET", "/v1/databases/account", { key: other })).body.database.tables).toEqual([]);
});

test("deprovisions with an approval, keeps what there was, and lets it be restored", async () => {
  const key = await provisioned();
  await run(key, "create table kept as select 'important' as word");
  const remove = (query = "") => api.send("DELETE", `/v1/databases/account${query}`, { key });
  expect((await remove()).body.error).toMatchObject({ status: 403, code: "approval_required" });
  const asked = await api.send("POST", "/v1/approvals/service-actions", {
    key,
    body: { serviceId: "managed-database", operationId: "deprovision", input: {} },
  });
  expect(asked.status).toBe(201);
  await decide(api, key, asked.body.approval);
  const removed = await remove(`?approvalId=${asked.body.approval.id}`);
  expect(removed.body).toMatchObject({ ok: true, database: { status: "deprovisioning" } });
  const status = async () => (await api.send("GET", "/v1/databases/account", { key })).body.database.status;
  await expect.poll(status, { interval: 100 }).toBe("absent");
  const { bytes } = await download(key, removed.body.finalTransferId);
  await api.send("POST", "/v1/databases/account", { key, body: {} });
  expect(await imported(key, bytes)).toMatchObject({ status: "completed" });
  expect(await rowsOf(key, "select word from kept")).toEqual([["important"]]);
  await run(key, "drop table kept");
  expect((await remove()).body).toMatchObject({ finalTransferId: null });
  await expect.poll(status, { interval: 100 }).toBe("absent");
});

test.each([
  "create function double(n int) returns int language sql return n * 2",
  "create type mood as enum ('sad', 'happy')",
  "create sequence numbers",
  "create view ones as select 1 as one",
])("takes a database that holds something but tables for one that is not empty: %s", async (sql) => {
  const key = await provisioned();
  await run(key, sql);
  const imports = await api.send("POST", "/v1/databases/transfers", { key, body: { direction: "import" } });
  expect(imports.body.error).toMatchObject({ status: 409, code: "state_conflict" });
  const refused = await api.send("DELETE", "/v1/databases/account", { key });
  expect(refused.body.error).toMatchObject({ status: 403, code: "approval_required" });
  expect((await api.send("GET", "/v1/databases/account", { key })).body.database.status).toBe("ready");
});

test("keeps a database whose last export fails, and says why", { timeout: 120_000 }, async () => {
  const key = await provisioned();
  await run(key, "create table huge as select repeat('x', 300000000) as word");
  const asked = await api.send("POST", "/v1/approvals/service-actions", {
    key,
    body: { serviceId: "managed-database", operationId: "deprovision", input: {} },
  });
  await decide(api, key, asked.body.approval);
  const removed = await api.send("DELETE", `/v1/databases/account?approvalId=${asked.body.approval.id}`, {
    key,
  });
  expect(await ended(key, removed.body.finalTransferId)).toMatchObject({
    status: "failed",
    error: { code: "query_limit_exceeded" },
  });
  expect(await rowsOf(key, "select count(*)::int from huge")).toEqual([[1]]);
});
