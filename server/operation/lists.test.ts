import { expect, test } from "vitest";
import { projects } from "#db/schema/projects.ts";
import { defined } from "#server/base/defined.ts";
import { type IdKind, idOf } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { pageOf } from "./page.ts";

const api = await startApi();

type Row = { id: string; name?: string; label?: string };

async function make(key: string, path: string, body: object): Promise<Row> {
  const answer = await api.send("POST", `/v1${path}`, { key, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return defined(Object.values<Row>(answer.body).find((value) => typeof value === "object"));
}

async function upload(key: string, name: string): Promise<Row> {
  const headers = { "x-file-name": `UTF-8''${encodeURIComponent(name)}`, "content-type": "text/plain" };
  const { status, body } = await api.send("POST", "/v1/files", { key, headers, bytes: Buffer.from("text") });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.file;
}

async function page(key: string, path: string, query: Record<string, string>) {
  const { status, body } = await api.send("GET", `/v1${path}?${new URLSearchParams(query)}`, { key });
  expect(status, JSON.stringify(body)).toBe(200);
  const rows = Object.values<Row[]>(body).find(Array.isArray) as Row[];
  return { rows, nextCursor: body.nextCursor as string | null };
}

/** Returns every row of a list, read in pages of two; calls `between` after each page. */
async function walk(
  key: string,
  path: string,
  query: Record<string, string>,
  between = async (_page: Row[]) => {},
): Promise<Row[]> {
  const all: Row[] = [];
  let cursor: string | null = null;
  do {
    const next = await page(key, path, { limit: "2", ...query, ...(cursor && { cursor }) });
    all.push(...next.rows);
    cursor = next.nextCursor;
    await between(next.rows);
  } while (cursor !== null);
  return all;
}

const NAMES = ["b", "A", "ä", "a", "B", `${"x".repeat(199)}1`, "a"];
const LISTS: [path: string, field: "name" | "label", make: (key: string, name: string) => Promise<Row>][] = [
  ["/projects", "name", (key, name) => make(key, "/projects", { name, slug: `slug-${crypto.randomUUID()}` })],
  ["/wallets", "label", (key, label) => make(key, "/wallets", { label })],
  ["/api-keys", "label", (key, label) => make(key, "/api-keys", { label, scopes: ["projects:read"] })],
  [
    "/connections",
    "label",
    (key, label) => {
      const allowedHosts = ["api.example.com"];
      return make(key, "/connections", {
        label,
        provider: "p",
        authType: "bearer",
        secret: "s",
        allowedHosts,
      });
    },
  ],
  ["/files", "name", upload],
];

test.for(LISTS)(
  "%s is read whole in every order, and by a part of a name or id",
  async ([path, field, makeOne]) => {
    const [{ key }, stranger] = [await api.createRootKey({ label: "root" }), await api.createRootKey()];
    const made: Row[] = [];
    for (const name of NAMES) made.push(await makeOne(key, name));
    const idsOf = (rows: Row[]) => rows.map(({ id }) => id).filter((id) => made.some((row) => row.id === id));
    const oldestFirst = made.map(({ id }) => id);
    expect(idsOf(await walk(key, path, { sort: "createdAt" }))).toEqual(oldestFirst);
    expect(idsOf(await walk(key, path, { sort: "-createdAt" }))).toEqual(oldestFirst.toReversed());
    expect(idsOf(await walk(key, path, {}))).toEqual(oldestFirst.toReversed());

    const answer = await api.mustSend(200, "GET", `/v1${path}?total=include&limit=2`, { key });
    expect(answer.total).toEqual({ count: (await walk(key, path, {})).length, more: false });

    const upwards = (await walk(key, path, { sort: field })).map((row) => row[field]?.toLowerCase());
    const known = upwards.filter((name) => name !== "root");
    expect(known.slice(0, 3)).toEqual(["a", "a", "a"]);
    expect(known.toSorted()).toEqual(NAMES.map((name) => name.toLowerCase()).toSorted());
    const downwards = (await walk(key, path, { sort: `-${field}` })).map((row) => row[field]?.toLowerCase());
    expect(downwards).toEqual(upwards.toReversed());

    const [first] = made as [Row];
    for (const search of [first.id, first.id.slice(0, -1).toUpperCase(), `${"X".repeat(50)}1`]) {
      const { rows } = await page(key, path, { search });
      expect(rows.length, search).toBeGreaterThanOrEqual(1);
      expect((await page(stranger.key, path, { search })).rows, search).toEqual([]);
    }
    expect((await page(key, path, { search: first.id })).rows.map(({ id }) => id)).toEqual([first.id]);
    for (const search of ["100%", "x_x", "\\", "no such name"])
      expect((await page(key, path, { search })).rows, search).toEqual([]);
  },
);

test("a list by name shows each row once that exists throughout, whatever changes meanwhile", async () => {
  const { key } = await api.createRootKey();
  const ids = new Map<string, string>();
  for (const name of ["c", "e", "g", "i", "k"]) ids.set(name, (await make(key, "/projects", { name })).id);
  let pages = 0;
  const seen = await walk(key, "/projects", { sort: "name" }, async () => {
    pages++;
    if (pages > 1) return;
    // Rows are inserted before and after the page's end, and a row of the page moves to the end.
    await make(key, "/projects", { name: "a" });
    await make(key, "/projects", { name: "f" });
    await api.send("PATCH", `/v1/projects/${ids.get("c")}`, { key, body: { name: "z" } });
  });
  expect(seen.map(({ name }) => name)).toEqual(["c", "e", "f", "g", "i", "k", "z"]);
});

test("a cursor is bound to its order, and an invented one is refused", async () => {
  const { key } = await api.createRootKey();
  for (const name of ["a", "b", "c"]) await make(key, "/projects", { name });
  const byName = await page(key, "/projects", { limit: "1", sort: "name" });
  const newest = await page(key, "/projects", { limit: "1" });
  const withNul = Buffer.concat([Buffer.from(byName.nextCursor ?? "", "base64url"), Buffer.from("\0")]);
  for (const query of [
    `sort=-name&cursor=${byName.nextCursor}`,
    `cursor=${byName.nextCursor}`,
    `sort=name&cursor=${newest.nextCursor}`,
    `sort=name&cursor=${withNul.toString("base64url")}`,
    `cursor=${withNul.toString("base64url")}`,
    "sort=name&cursor=AAAA",
  ]) {
    const refused = await api.send("GET", `/v1/projects?limit=1&${query}`, { key });
    expect(refused.body.error, query).toMatchObject({ status: 400, issues: [{ path: "query.cursor" }] });
  }
  const other = await api.send("GET", "/v1/projects?sort=slug", { key });
  expect(other.body.error).toMatchObject({ status: 400, issues: [{ path: "query.sort" }] });
});

test("a list counts the items that match its filters, on request", async () => {
  const { key } = await api.createRootKey();
  for (const name of ["one", "two", "three", "four"]) await make(key, "/projects", { name });
  const ask = (query: string): Promise<Record<string, unknown>> =>
    api.mustSend(200, "GET", `/v1/projects${query}`, { key });
  expect(await ask("")).not.toHaveProperty("total");
  expect((await ask("?total=include")).total).toEqual({ count: 4, more: false });
  expect((await ask("?total=include&limit=1")).total).toEqual({ count: 4, more: false });
  expect((await ask("?total=include&limit=1&search=t")).total).toEqual({ count: 2, more: false });
  expect((await ask("?total=include&status=archived")).total).toEqual({ count: 0, more: false });
  // A cursor is valid with and without the count.
  const { nextCursor } = await ask("?limit=3");
  expect(await ask(`?limit=3&total=include&cursor=${nextCursor}`)).toMatchObject({
    projects: [{ name: "one" }],
    total: { count: 4, more: false },
  });
  const wrong = await api.send("GET", "/v1/projects?total=yes", { key });
  expect(wrong.body.error).toMatchObject({ status: 400, issues: [{ path: "query.total" }] });
});

const COUNTED: [path: string, kind: IdKind][] = [
  ["/api-keys", "apiKey"],
  ["/approvals", "approval"],
  ["/artifacts", "artifact"],
  ["/connections", "connection"],
  ["/credits/ledger", "receipt"],
  ["/files", "file"],
  ["/projects", "project"],
  ["/runs", "run"],
  ["/swaps", "swap"],
  ["/trading/orders", "order"],
  ["/wallets", "wallet"],
  ["/webhook-deliveries", "delivery"],
  ["/webhooks", "webhook"],
];
const CONSOLE_COUNTED: [operation: string, kind: IdKind][] = [
  ["databases.transfers.list", "transfer"],
  ["endUsers.list", "endUser"],
  ["invitations.list", "invitation"],
  ["members.list", "member"],
  ["memories.list", "memory"],
  ["triggers.list", "trigger"],
  ["wallets.contacts.list", "contact"],
  ["workflows.list", "workflow"],
];

/** Returns the cursor of the newest possible page: with a cursor, even an empty list is counted. */
const newest = (kind: IdKind) =>
  pageOf(kind, projects.id, { limit: 1 }).cursorFrom(idOf(kind, "7fffffff-ffff-ffff-ffff-ffffffffffff"));

test.for(COUNTED)("%s counts all rows that it lists, with a cursor, too", async ([path, kind]) => {
  const { key } = await api.createRootKey();
  const cursor = newest(kind);
  const { rows } = await page(key, path, { cursor });
  const answer = await api.mustSend(200, "GET", `/v1${path}?total=include&cursor=${cursor}`, { key });
  expect(answer.total).toEqual({ count: rows.length, more: false });
});

test.for(CONSOLE_COUNTED)(
  "%s counts all rows that it lists, with a cursor, too",
  async ([operation, kind]) => {
    const ada = await signUpAndIn(api);
    const { data } = await ada.query(operation, { total: "include", cursor: newest(kind) });
    const rows = Object.values<Row[]>(data).find(Array.isArray) ?? [];
    expect(data.total).toEqual({ count: rows.length, more: false });
  },
);

test("a list is narrowed to a period, and a period that ends before it begins is refused", async () => {
  const { key } = await api.createRootKey();
  const early = await upload(key, "early");
  const { body } = await api.send("GET", `/v1/files/${early.id}`, { key });
  const after = new Date(Date.parse(body.file.createdAt) + 1).toISOString();
  await expect.poll(() => new Date().toISOString() > after).toBe(true);
  const late = await upload(key, "late");
  expect((await page(key, "/files", { from: after })).rows).toMatchObject([{ id: late.id }]);
  expect((await page(key, "/files", { to: after })).rows).toMatchObject([{ id: early.id }]);
  const reversed = await api.send("GET", `/v1/files?from=${after}&to=2020-01-01T00:00:00Z`, { key });
  expect(reversed.body.error).toMatchObject({ status: 400, issues: [{ path: "query.from" }] });
});

test("lists of projects, keys, wallets, connections and webhooks are narrowed to a period", async () => {
  const { key, apiKey } = await api.createRootKey();
  const made: [path: string, id: string][] = [
    ["/api-keys", apiKey.id],
    ["/projects", (await make(key, "/projects", { name: "early" })).id],
    ["/wallets", (await make(key, "/wallets", { label: "early" })).id],
    ["/webhooks", (await make(key, "/webhooks", { url: "http://127.0.0.1:9/shop", events: ["*"] })).id],
  ];
  const now = new Date(Date.now() + 1_000).toISOString();
  for (const [path, id] of made) {
    expect((await page(key, path, { to: now })).rows, path).toMatchObject([{ id }]);
    expect((await page(key, path, { from: now })).rows, path).toEqual([]);
  }
});

test.each([
  "/api-keys",
  "/approvals",
  "/artifacts",
  "/audit-events",
  "/connections",
  "/credits/ledger",
  "/files",
  "/projects",
  "/runs",
  "/swaps",
  "/trading/orders",
  "/wallets",
  "/webhook-deliveries",
  "/webhooks",
])("%s takes the first and the last moment that can be written, and refuses the year 0", async (path) => {
  const { key } = await api.createRootKey();
  const [first, last] = ["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"];
  expect((await api.send("GET", `/v1${path}?from=${first}&to=${last}`, { key })).status).toBe(200);
  expect((await page(key, path, { from: last })).rows).toEqual([]);
  const refused = await api.send("GET", `/v1${path}?from=0000-01-01T00:00:00Z`, { key });
  expect(refused.body.error).toMatchObject({ status: 400, issues: [{ path: "query.from" }] });
});

test("no runs, and no failure, are returned for the time after the last valid moment", async () => {
  const { key } = await api.createRootKey();
  expect((await page(key, "/runs", { createdAfter: "9999-12-31T23:59:59.999Z" })).rows).toEqual([]);
});

test("lists are narrowed to a current status or role", async () => {
  const { key } = await api.createRootKey();
  const body = { url: "http://127.0.0.1:9/shop", events: ["*"], description: "Orders" };
  const [active, paused] = [await make(key, "/webhooks", body), await make(key, "/webhooks", body)];
  await api.send("PATCH", `/v1/webhooks/${paused.id}`, { key, body: { status: "paused" } });
  expect((await page(key, "/webhooks", { status: "paused" })).rows).toMatchObject([{ id: paused.id }]);
  expect((await page(key, "/webhooks", { status: "active", search: "orders" })).rows).toMatchObject([
    { id: active.id },
  ]);
  expect((await page(key, "/webhooks", { status: "disabled" })).rows).toEqual([]);
  await make(key, "/wallets", { label: "Treasury" });
  expect((await page(key, "/wallets", { status: "frozen" })).rows).toEqual([]);
  expect((await page(key, "/services", { search: "managed MEM" })).rows).toMatchObject([
    { id: "managed-memory" },
  ]);

  const ada = await signUpAndIn(api);
  await signInMember(api, ada.accountId, "viewer");
  const { data } = await ada.query("members.list", { role: "viewer" });
  expect(data.members).toMatchObject([{ role: "viewer" }]);
  expect((await ada.query("members.list", { search: ada.email })).data.members).toHaveLength(1);
  const later = new Date(Date.now() + 1_000).toISOString();
  expect((await ada.query("members.list", { to: later, sort: "createdAt" })).data.members).toMatchObject([
    { role: "owner" },
    { role: "viewer" },
  ]);
  expect((await ada.query("members.list", { from: later })).data.members).toEqual([]);
});
