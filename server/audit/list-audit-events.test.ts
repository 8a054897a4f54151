import { expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { type Answered, startApi } from "#server/testing/api.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { sealBatch } from "./seal-events.ts";

const api = await startApi();
const { client } = api.platform.database;

async function operationsOf(key: string, query: string): Promise<string[]> {
  const answer = await api.send("GET", `/v1/audit-events${query}`, { key });
  expect(answer.status).toBe(200);
  return answer.body.auditEvents.map((event: { operation: string }) => event.operation);
}
const list = (key: string) => api.send("GET", "/v1/projects", { key });
const create = (key: string, name: string) => api.send("POST", "/v1/projects", { key, body: { name } });

test("searches by a part of the operation, ignoring case, or by the whole request id", async () => {
  const { key } = await api.createRootKey();
  const stranger = await api.createRootKey();
  await create(key, "Shop");
  const { headers } = await list(key);
  const requestId = headers.get("x-request-id") ?? "";
  await api.send("GET", "/v1/files", { key });
  for (const state of ["pending", "chained"]) {
    expect(await operationsOf(key, "?search=ROJECTS."), state).toEqual(["projects.list", "projects.create"]);
    expect(await operationsOf(key, "?search=list&operation=projects.list"), state).toEqual(["projects.list"]);
    expect(await operationsOf(key, "?search=files&operation=projects.list"), state).toEqual([]);
    expect(await operationsOf(key, "?search=projects&status=201"), state).toEqual(["projects.create"]);
    expect(await operationsOf(key, `?search=${requestId}`), state).toEqual(["projects.list"]);
    expect(await operationsOf(key, `?search=${requestId}&operation=files.list`), state).toEqual([]);
    expect(await operationsOf(key, `?search=${requestId.slice(0, -1)}`), state).toEqual([]);
    expect(await operationsOf(stranger.key, `?search=${requestId}`), state).toEqual([]);
    expect(await operationsOf(stranger.key, "?search=projects"), state).toEqual([]);
    await sealBatch(client);
  }
  for (const search of ["%", "_", "nothing.like.this", "\\"])
    expect(await operationsOf(key, `?search=${encodeURIComponent(search)}`), search).toEqual([]);
  expect((await api.send("GET", "/v1/audit-events?search=", { key })).body.error).toMatchObject({
    status: 400,
    issues: [{ path: "query.search" }],
  });
});

test("finds the acts of people and of the platform outside the operations, too", async () => {
  const ada = await signUpAndIn(api);
  const { data } = await ada.query("auditEvents.list", { search: "accounts.CREATE" });
  expect(data.auditEvents).toMatchObject([{ operation: "accounts.create", actor: { type: "member" } }]);
});

test("lists the oldest events first, each once, while events are added", async () => {
  const { key } = await api.createRootKey();
  const made = [];
  for (const name of ["a", "b"]) made.push((await create(key, name)).body.project.id);
  await sealBatch(client);
  for (const name of ["c", "d"]) made.push((await create(key, name)).body.project.id);
  const found: string[] = [];
  let cursor = "";
  do {
    const path = `/v1/audit-events?search=projects.cr&sort=createdAt&limit=1${cursor}`;
    const { body } = await api.send("GET", path, { key });
    found.push(...body.auditEvents.map(({ resource }: { resource: string }) => resource));
    cursor = body.nextCursor && `&cursor=${body.nextCursor}`;
    if (found.length < 3) made.push((await create(key, `later ${found.length}`)).body.project.id);
    await sealBatch(client);
  } while (cursor);
  expect(found).toEqual(made);
  expect(made).toHaveLength(6);
});

test("refuses a cursor of the other order or of another search", async () => {
  const { key } = await api.createRootKey();
  for (const name of ["a", "b"]) await create(key, name);
  const cursorOf = async (query: string) =>
    (await api.send("GET", `/v1/audit-events?limit=1${query}`, { key })).body.nextCursor;
  const [newest, oldest, searched] = [
    await cursorOf(""),
    await cursorOf("&sort=createdAt"),
    await cursorOf("&search=projects"),
  ];
  for (const query of [
    `sort=createdAt&cursor=${newest}`,
    `cursor=${oldest}`,
    `search=project&cursor=${searched}`,
  ]) {
    const refused = await api.send("GET", `/v1/audit-events?limit=1&${query}`, { key });
    expect(refused.body.error, query).toMatchObject({ status: 400, issues: [{ path: "query.cursor" }] });
  }
});

test("counts the events that match the filters, on request", async () => {
  const { key } = await api.createRootKey();
  for (const name of ["a", "b", "c"]) await create(key, name);
  await list(key);
  const ask = async (query: string): Promise<Record<string, unknown>> =>
    (await api.send("GET", `/v1/audit-events${query}`, { key })).body;
  expect(await ask("?search=projects")).not.toHaveProperty("total");
  for (const [query, count] of [
    ["operation=projects.create", 3],
    ["operation=projects.create&limit=1", 3],
    ["search=projects&limit=1", 4],
    ["search=projects&limit=1&sort=createdAt", 4],
    ["search=projects&status=201&limit=1", 3],
    ["search=nothing.like.this", 0],
    ["keyId=nonsense", 0],
  ] as const)
    expect((await ask(`?${query}&total=include`)).total, query).toEqual({ count, more: false });
  const { nextCursor } = await ask("?search=projects&limit=3");
  expect(await ask(`?search=projects&limit=3&total=include&cursor=${nextCursor}`)).toMatchObject({
    auditEvents: [{ operation: "projects.create" }],
    nextCursor: null,
    total: { count: 4, more: false },
  });
});

test("finds the calls of a rare status in pages that look at a bounded number of events", async () => {
  const { key, accountId } = await api.createRootKey();
  const account = uuidOf("account", accountId);
  await client`insert into audit_pending (account_id, id, at, actor_type, operation, selector, counted, outcome, status, request_id, duration_ms)
    select ${account}::uuid, uuidv7((n - 20000) * interval '1 ms'), now() + (n - 20000) * interval '1 ms', 'system', 'test', 'test',
      false, 'allowed', case when n in (1, 2, 12000) then 202 else 200 end, 'req_' || n, 0
    from generate_series(1, 12000) n`;
  async function pagesOf(query: string) {
    const pages: string[][] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const path = `/v1/audit-events?status=202&limit=2${query}${cursor && `&cursor=${cursor}`}`;
      const { body }: Answered = await api.send("GET", path, { key });
      pages.push(body.auditEvents.map(({ requestId }: { requestId: string }) => requestId));
      cursor = body.nextCursor;
    }
    return pages;
  }
  expect(await pagesOf("")).toEqual([["req_12000"], ["req_2", "req_1"]]);
  expect(await pagesOf("&sort=createdAt")).toEqual([["req_1", "req_2"], ["req_12000"]]);
  const totalOf = async (query: string) =>
    (await api.send("GET", `/v1/audit-events?total=include${query}`, { key })).body.total;
  expect(await totalOf("&status=202")).toEqual({ count: 1, more: true });
  expect(await totalOf("")).toEqual({ count: 1000, more: true });
});

test("finds a member's changes among many reads in pages that look at a bounded number of events", async () => {
  const { key, accountId } = await api.createRootKey();
  const { memberId } = await signInMember(api, accountId, "owner");
  await client`insert into audit_pending (account_id, id, at, actor_type, actor_id, operation, selector, counted, outcome, status, request_id, duration_ms)
    select ${uuidOf("account", accountId)}::uuid, uuidv7((n - 20000) * interval '1 ms'), now() + (n - 20000) * interval '1 ms', 'member',
      ${uuidOf("member", memberId)}::uuid, case when n in (1, 12000) then 'projects.create' else 'projects.list' end, 'test', false, 'allowed',
      case when n in (1, 12000) then 201 else 200 end, 'req_' || n, 0
    from generate_series(1, 12000) n`;
  const path = `/v1/audit-events?memberId=${memberId}&consoleReads=exclude&limit=2&search=projects`;
  const first = (await api.send("GET", path, { key })).body;
  expect(first.auditEvents.map(({ requestId }: { requestId: string }) => requestId)).toEqual(["req_12000"]);
  const next = (await api.send("GET", `${path}&cursor=${first.nextCursor}`, { key })).body;
  expect(next.auditEvents.map(({ requestId }: { requestId: string }) => requestId)).toEqual(["req_1"]);
  expect(next.nextCursor).toBeNull();
});
