import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { uuidOf } from "#server/base/ids.ts";
import { sweepBlobs } from "#server/blobs/sweep-blobs.ts";
import { type Answered, startApi } from "#server/testing/api.ts";
import { signInMember } from "#server/testing/console.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { movePendingEvents } from "#server/testing/past-audit.ts";
import { startS3 } from "#server/testing/s3.ts";
import { dropOldEvents } from "../drop-old-events.ts";
import { erasePerson } from "../erase-person.ts";
import { exportAudit } from "../export-audit.ts";
import { verifyExport } from "../verify-export.ts";
import { moveOldMonths } from "./move-old-months.ts";

/** The number of the first account's archived events. */
const PAST = 8;
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

const s3 = await startS3();
const database = await createTestDatabase();
const api = await startApi({ database, settings: { blobs: s3.settings } });
const { blobs, settings, database: opened } = api.platform;
const archiving = { db: opened.db, blobs, key: settings.auditSigningKey };

// An account with events of three past months.
const elder = await api.createRootKey();
for (const days of [140, 105]) {
  for (const path of ["/v1/projects", "/v1/files", "/v1/projects"])
    await api.send("GET", path, { key: elder.key });
  await movePendingEvents(api, [elder.accountId], days);
}
const root = await api.createRootKey({ label: "Ada's laptop" });
const owner = await signInMember(api, root.accountId, "owner");
const stranger = await api.createRootKey();
const foreign = await signInMember(api, stranger.accountId, "owner");
const bare = await api.createChild(root.key, { label: "Bare", scopes: ["files:read"] });
const call = (key: string, method: string, path: string, headers: Record<string, string>, body?: object) =>
  api.send(method, path, { key, headers, body });
const ada = { "x-service-end-user": "ada" };
const shop = (await call(root.key, "POST", "/v1/projects", ada, { name: "Shop" })).body.project.id;
await call(bare.key, "GET", "/v1/projects", {});
for (const name of ["eve", "ada", "eve"])
  await call(root.key, "GET", "/v1/projects", { "x-service-end-user": name, "x-service-project": shop });
await call(stranger.key, "GET", "/v1/files", {});
await call(elder.key, "GET", "/v1/projects", {});
await movePendingEvents(api, [root.accountId, stranger.accountId, elder.accountId], 70);
const bound = await api.createChild(root.key, { projectId: shop, scopes: ["audit:read"] });
const adas = await api.createChild(root.key, { endUser: "ada", scopes: ["audit:read"] });

const list = (key: string, query: string) => api.send("GET", `/v1/audit-events?${query}`, { key });

/** Returns all events of a list, page by page. */
async function eventsOf(key: string, query: string, limit: number) {
  const events: { id: string; operation: string; endUser: string | null }[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { status, body }: Answered = await list(
      key,
      `${query}&limit=${limit}${cursor && `&cursor=${cursor}`}`,
    );
    expect(status, JSON.stringify(body)).toBe(200);
    events.push(...body.auditEvents);
    cursor = body.nextCursor;
  }
  return events;
}

const to = `to=${daysAgo(30)}`;
const [refused] = (await list(root.key, `${to}&outcome=denied`)).body.auditEvents;
const QUERIES = [
  "",
  "operation=projects.list",
  "operation=projects.read",
  "outcome=denied",
  "status=403",
  `keyId=${bare.apiKey.id}`,
  `memberId=${owner.memberId}`,
  `projectId=${shop}`,
  `requestId=${refused.requestId}`,
  `from=${daysAgo(71)}`,
  `from=${daysAgo(69)}`,
  "sort=createdAt",
  "search=PROJECTS.",
  "search=files",
  `search=${refused.requestId}`,
  `search=ects.li&sort=createdAt&from=${daysAgo(110)}`,
  "status=200&sort=createdAt",
];

/** Returns the past months' events that each caller can read, by every filter, and each event by itself. */
async function everythingSeen() {
  const lists: Record<string, unknown[]> = {};
  for (const [caller, key] of Object.entries({ root, bound, adas, stranger, elder }).map(
    ([name, { key }]) => [name, key],
  ))
    for (const query of QUERIES) {
      const events = await eventsOf(defined(key), `${query}&${to}`, 100);
      lists[`${caller} ${query}`] = events;
      expect(await eventsOf(defined(key), `${query}&${to}`, 2), `${caller} ${query} by twos`).toEqual(events);
    }
  const single: unknown[] = [];
  for (const { id: eventId } of await eventsOf(root.key, to, 100)) {
    const { status, data } = await owner.query("auditEvents.read", { eventId });
    single.push({ status, data, foreign: (await foreign.query("auditEvents.read", { eventId })).status });
  }
  const period = `from=${daysAgo(70.001)}&to=${daysAgo(69.99)}`;
  const usage = await api.send("GET", `/v1/usage?groupBy=operation&${period}`, { key: root.key });
  const { totals, groups } = usage.body.usage;
  return { lists, single, usage: { totals, groups } };
}

async function exported(accountId: string) {
  const texts: string[] = [];
  const request = { accountId, from: null, to: null };
  for await (const line of exportAudit(opened, settings.auditSigningKey, request, { blobs }))
    texts.push(JSON.stringify(line));
  return { texts, verified: await verifyExport(texts) };
}

const archived = async (accountId: string) =>
  (
    await opened.client`select blob_key as key from audit_archives where account_id = ${uuidOf("account", accountId)}`
  ).map(({ key }) => [...s3.objects.keys()].find((name) => name.endsWith(key)) ?? key);

test("lists, single reads and exports show archived events unchanged, to the same callers as before", async () => {
  const before = await everythingSeen();
  const { texts } = await exported(root.accountId);
  expect(await moveOldMonths(archiving, 1)).toHaveLength(3);
  const [left] =
    await opened.client`select count(*)::int as events from audit_chain where id < uuid_floor(${daysAgo(40)})`;
  expect(left).toEqual({ events: 0 });
  expect(await everythingSeen()).toEqual(before);
  const countsOf = (caller: string) => QUERIES.map((query) => before.lists[`${caller} ${query}`]?.length);
  expect(countsOf("root")).toEqual([PAST, 4, 0, 1, 1, 1, 1, 3, 1, PAST, 0, PAST, 5, 0, 1, 4, 4]);
  expect(countsOf("bound")).toEqual([3, 3, 0, 0, 0, 0, 0, 3, 0, 3, 0, 3, 3, 0, 0, 3, 3]);
  expect(countsOf("adas")).toEqual([2, 1, 0, 0, 0, 0, 0, 1, 0, 2, 0, 2, 2, 0, 0, 1, 1]);
  expect(countsOf("stranger")).toEqual([3, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 3, 0, 1, 0, 0, 2]);
  expect(countsOf("elder")).toEqual([8, 5, 0, 0, 0, 0, 0, 0, 0, 1, 0, 8, 5, 2, 0, 3, 7]);
  for (const caller of ["root", "bound", "elder"])
    expect(before.lists[`${caller} sort=createdAt`]).toEqual(before.lists[`${caller} `]?.toReversed());
  expect(before.single).toHaveLength(PAST);
  expect(before.single).toContainEqual(expect.objectContaining({ status: 200, foreign: 404 }));
  expect(before.usage.totals.requests).toBe(PAST);
  const after = await exported(root.accountId);
  const events = (lines: string[]) =>
    lines.filter((line) => line.startsWith('{"type":"event"')).map((line) => JSON.parse(line));
  // Requests made meanwhile come after them.
  expect(events(after.texts).slice(0, events(texts).length)).toEqual(events(texts));
  const newest = await eventsOf(root.key, "", 3);
  expect(newest.length).toBeGreaterThan(20);
  expect(newest.map(({ id }) => id)).toEqual([...new Set(newest.map(({ id }) => id))].sort().reverse());
});

test("counts events in the database only, and says that there are more if the period has archives", async () => {
  const totalOf = async (query: string) => (await list(elder.key, `${query}&total=include`)).body.total;
  expect(await totalOf(to)).toEqual({ count: 8, more: false });
  expect(await totalOf(`${to}&limit=2`)).toEqual({ count: 2, more: true });
  expect(await totalOf(`${to}&search=projects&sort=createdAt&limit=2`)).toEqual({ count: 2, more: true });
  for (const key of [elder.key, elder.key]) await call(key, "GET", "/v1/artifacts", {});
  expect(await totalOf(`from=${daysAgo(20)}&operation=artifacts.list&limit=1`)).toEqual({
    count: 2,
    more: false,
  });
});

test("counts the usage of archived months by whole hours, and says so", async () => {
  const [from, to] = ["2026-03-01T10:15:00.000Z", "2026-03-01T12:15:00.000Z"];
  const read = (query: string) => api.send("GET", `/v1/usage?${query}`, { key: root.key });
  const { usage } = (await read(`from=${from}&to=${to}`)).body;
  expect(usage).toMatchObject({ from: "2026-03-01T10:00:00.000Z", to: "2026-03-01T13:00:00.000Z" });
  const refused = await read(`from=${from}&to=${to}&groupBy=minute`);
  expect(refused.status).toBe(400);
  expect(refused.body.error.message).toMatch(/Grouped by minute, a period begins at .* or later\. /);
  const recent = { from: daysAgo(2), to: daysAgo(1) };
  expect((await read(`from=${recent.from}&to=${recent.to}`)).body.usage).toMatchObject(recent);
});

test("answers 503 while the blob store is silent, stopped or damaged, and lists events that do not need it", async () => {
  const recent = `from=${daysAgo(20)}`;
  const [object] = await archived(root.accountId);
  const content = defined(s3.objects.get(defined(object)));
  const faults: [string, () => void, () => void][] = [
    [
      "is not available",
      () => Object.assign(s3.state, { failing: true }),
      () => Object.assign(s3.state, { failing: false }),
    ],
    [
      "is not available",
      () => Object.assign(s3.state, { silent: true }),
      () => Object.assign(s3.state, { silent: false }),
    ],
    [
      "is missing from",
      () => s3.objects.delete(defined(object)),
      () => s3.objects.set(defined(object), content),
    ],
    [
      "was changed in",
      () => s3.objects.set(defined(object), Buffer.from(content).fill(0, 20, 24)),
      () => s3.objects.set(defined(object), content),
    ],
  ];
  for (const [message, begin, end] of faults) {
    begin();
    const { status, body } = await list(root.key, to);
    expect(status, message).toBe(503);
    expect(body.error).toMatchObject({ code: "service_unavailable", operationState: "not_started" });
    expect(body.error.message).toContain(message);
    expect((await list(root.key, recent)).status, message).toBe(200);
    end();
    expect((await list(root.key, to)).body.auditEvents, message).toHaveLength(PAST);
  }
});

test("erases a person's identity from archived events", async () => {
  expect(await erasePerson(opened.db, root.accountId, { endUser: "eve" })).toBe(true);
  const users = async () => (await eventsOf(root.key, to, 100)).map(({ endUser }) => endUser);
  expect(await users()).toEqual([null, "ada", null, null, "ada", null, null, null]);
  expect(await erasePerson(opened.db, root.accountId, { key: bare.apiKey.id })).toBe(true);
  const { body } = await list(root.key, `${to}&keyId=${bare.apiKey.id}`);
  expect(body.auditEvents).toMatchObject([{ actor: { id: bare.apiKey.id, label: null } }]);
  const { verified } = await exported(root.accountId);
  expect(verified).toMatchObject({ first: 1, erased: expect.any(Number) });
  // No stored key can decrypt either name in the bucket.
  const keys =
    await opened.client`select count(*)::int as count from audit_person_keys where person_id = ${uuidOf("apiKey", bare.apiKey.id)}`;
  expect(keys).toEqual([{ count: 0 }]);
});

test("forgets archives with the months of their events, and their blobs after them", async () => {
  const kept = await archived(root.accountId);
  await dropOldEvents(opened.db, settings.auditSigningKey, 1);
  expect(await eventsOf(root.key, to, 100)).toEqual([]);
  const { verified } = await exported(root.accountId);
  expect(verified.first).toBe(PAST + 1);
  await sweepBlobs(opened.db, blobs);
  expect(kept.filter((object) => s3.objects.has(object))).toEqual([]);
  expect(await archived(root.accountId)).toEqual([]);
});
