import { expect, test } from "vitest";
import { newUuidAt, uuidOf } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { sealBatch, startSealer } from "./seal-events.ts";

const api = await startApi();
const { client } = api.platform.database;

async function eventsOf(key: string, query = "", headers: Record<string, string> = {}) {
  const answer = await api.send("GET", `/v1/audit-events${query}`, { key, headers });
  expect(answer.status).toBe(200);
  return answer.body.auditEvents;
}
const operationsOf = async (key: string, query = "", headers = {}): Promise<string[]> =>
  (await eventsOf(key, query, headers)).map((event: { operation: string }) => event.operation);
/** Waits until all of an account's events are in the chain. */
async function untilChained(accountId: string) {
  const pending = () => client`select from audit_pending where account_id = ${uuidOf("account", accountId)}`;
  await expect.poll(async () => (await pending()).length).toBe(0);
}
const list = (key: string, headers = {}) => api.send("GET", "/v1/projects", { key, headers });
const create = (key: string, name: string, headers = {}) =>
  api.send("POST", "/v1/projects", { key, body: { name }, headers });

test("records each request's operation, caller and outcome", async () => {
  const { key, apiKey } = await api.createRootKey({ label: "Backend" });
  const made = await create(key, "Shop", { "user-agent": "shop/1.0", "x-service-end-user": "ada" });
  const [event] = await eventsOf(key, "?operation=projects.create");
  expect(event).toEqual({
    id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    actor: { type: "key", id: apiKey.id, label: "Backend" },
    operation: "projects.create",
    resource: made.body.project.id,
    outcome: "allowed",
    status: 201,
    errorCode: null,
    requestId: made.headers.get("x-request-id"),
    projectId: null,
    endUser: "ada",
    ip: "127.0.0.1",
    userAgent: "shop/1.0",
    durationMs: expect.any(Number),
    chargedCredits: 0,
    secretVersion: null,
    sequence: null,
    previousHash: null,
    hash: null,
  });
});

test("chains each account's events without gaps, soon after the answers", async () => {
  const sealer = startSealer(api.databaseUrl);
  const accounts = await Promise.all([api.createRootKey(), api.createRootKey()]);
  for (const name of ["a", "b", "c"])
    await Promise.all(accounts.map(({ key }) => create(key, `${name} ${accounts.length}`)));
  for (const { key, accountId } of accounts) {
    await untilChained(accountId);
    const sealed = (await eventsOf(key)).toReversed();
    expect(sealed.map((event: { sequence: number }) => event.sequence)).toEqual([1, 2, 3, 4]);
    for (const [index, event] of sealed.slice(1).entries())
      expect(event.previousHash).toBe(sealed[index].hash);
    expect(new Set(sealed.map((event: { hash: string }) => event.hash)).size).toBe(4);
  }
  await sealer.stop();
});

test("chains an event once, though several processes do it at once", async () => {
  const { key, accountId } = await api.createRootKey();
  await Promise.all(Array.from({ length: 30 }, () => list(key)));
  const sealers = Array.from({ length: 4 }, () => startSealer(api.databaseUrl));
  await untilChained(accountId);
  await Promise.all(sealers.map((sealer) => sealer.stop()));
  const rows =
    await client`select sequence::int from audit_events where account_id = ${uuidOf("account", accountId)}
    order by sequence`;
  expect(rows.map((row) => row.sequence)).toEqual(Array.from({ length: 31 }, (_, index) => index + 1));
});

test("filters by operation, outcome, status, key, project and request, pending and chained alike", async () => {
  const { key } = await api.createRootKey();
  const child = await api.createChild(key);
  const project = (await create(key, "Shop")).body.project;
  await list(child.key, { "x-service-project": project.id });
  const refused = await api.send("GET", "/v1/projects/proj_00000000000000000000000000", { key });
  for (const state of ["pending", "chained"]) {
    expect(await operationsOf(key, "?operation=projects.create"), state).toEqual(["projects.create"]);
    expect(await operationsOf(key, "?outcome=denied"), state).toEqual(["projects.read"]);
    expect(await operationsOf(key, "?outcome=error"), state).toEqual([]);
    expect(await operationsOf(key, "?status=404"), state).toEqual(["projects.read"]);
    expect(await operationsOf(key, "?status=201&operation=projects.create"), state).toEqual([
      "projects.create",
    ]);
    expect(await operationsOf(key, "?status=404&outcome=allowed"), state).toEqual([]);
    expect(await operationsOf(key, `?keyId=${child.apiKey.id}`), state).toEqual(["projects.list"]);
    expect(await operationsOf(key, `?projectId=${project.id}`), state).toEqual(["projects.list"]);
    expect(await operationsOf(key, `?requestId=${refused.headers.get("x-request-id")}`), state).toEqual([
      "projects.read",
    ]);
    await sealBatch(client);
  }
});

test("filters by a member of the account, pending and chained alike", async () => {
  const ada = await signUpAndIn(api);
  const { memberId } = (await ada.query("me.read")).data;
  const grace = await signInMember(api, ada.accountId, "owner");
  const made = await ada.mutate("apiKeys.create", { label: "Backend", scopes: ["audit:read"] });
  await grace.mutate("projects.create", { name: "Shop" });
  for (const state of ["pending", "chained"]) {
    const of = (query: string) => operationsOf(made.data.secret, `?consoleReads=exclude&${query}`);
    expect(await of(`memberId=${memberId}`), state).toEqual([
      "apiKeys.create",
      "sessions.create",
      "accounts.create",
    ]);
    expect(await of(`memberId=${grace.memberId}&search=projects`), state).toEqual(["projects.create"]);
    expect(await of(`memberId=${memberId}&sort=createdAt&search=create`), state).toEqual([
      "accounts.create",
      "sessions.create",
      "apiKeys.create",
    ]);
    expect(await of(`memberId=${memberId}&keyId=${made.data.apiKey.id}`), state).toEqual([]);
    await sealBatch(client);
  }
});

test("answers an empty list for a filter that names a missing, foreign or malformed id", async () => {
  const { key } = await api.createRootKey();
  const stranger = await api.createRootKey();
  for (const id of [stranger.apiKey.id, "key_00000000000000000000000000", "nonsense"])
    expect(await eventsOf(key, `?keyId=${id}`)).toEqual([]);
  const foreign = (await signInMember(api, stranger.accountId, "owner")).memberId;
  for (const id of [foreign, "mbr_00000000000000000000000000", "nonsense"])
    expect(await eventsOf(key, `?memberId=${id}`)).toEqual([]);
  expect(await eventsOf(key, "?projectId=nonsense")).toEqual([]);
  expect(await eventsOf(key, "?operation=nothing.like.this")).toEqual([]);
});

test("takes a period with its beginning and without its end, in UTC only", async () => {
  const { key } = await api.createRootKey();
  for (const name of ["a", "b", "c"]) await create(key, name);
  const [, middle] = await eventsOf(key, "?operation=projects.create");
  const of = (query: string) => operationsOf(key, `?operation=projects.create&${query}`);
  expect(await of(`from=${middle.at}`)).toHaveLength(2);
  expect(await of(`to=${middle.at}`)).toHaveLength(1);
  expect(await of(`from=${middle.at}&to=${middle.at}`)).toHaveLength(0);
  expect(await of("from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59.999Z")).toHaveLength(3);
  for (const wrong of [
    "2027-01-31",
    "2027-01-31T12:00:00%2B02:00",
    "2027-01-31T12:00:00",
    "2027-02-30T12:00:00Z",
  ]) {
    const refused = await api.send("GET", `/v1/audit-events?from=${wrong}`, { key });
    expect(refused.body.error, wrong).toMatchObject({
      status: 400,
      code: "invalid_request",
      issues: [{ path: "query.from" }],
    });
  }
  const reversed = await api.send(
    "GET",
    "/v1/audit-events?from=2027-01-02T00:00:00Z&to=2027-01-01T00:00:00Z",
    {
      key,
    },
  );
  expect(reversed.body.error).toMatchObject({ status: 400, issues: [{ path: "query.from" }] });
});

test("pages newest first over pending and chained events, stable while events are added", async () => {
  const { key } = await api.createRootKey();
  for (const name of ["a", "b"]) await create(key, name);
  await sealBatch(client);
  for (const name of ["c", "d"]) await create(key, name);
  const requests: string[] = [];
  let cursor = "";
  do {
    const page = await api.send("GET", `/v1/audit-events?operation=projects.create&limit=1${cursor}`, {
      key,
    });
    requests.push(...page.body.auditEvents.map((event: { at: string }) => event.at));
    cursor = page.body.nextCursor && `&cursor=${page.body.nextCursor}`;
    await create(key, `later ${requests.length}`);
    await sealBatch(client);
  } while (cursor);
  expect(requests).toHaveLength(4);
  expect(requests).toEqual(requests.toSorted().toReversed());
});

test("shows an account's key every event, a bound one only those of its project or end user", async () => {
  const { key } = await api.createRootKey();
  const shop = (await create(key, "Shop")).body.project.id;
  const bound = await api.createChild(key, { projectId: shop });
  const adas = await api.createChild(key, { endUser: "ada" });
  await list(bound.key);
  await list(adas.key);
  await list(key, { "x-service-end-user": "ada" });
  await list(key, { "x-service-end-user": "bob" });
  expect(await operationsOf(bound.key, "?operation=projects.list")).toHaveLength(1);
  expect(await operationsOf(adas.key, "?operation=projects.list")).toHaveLength(2);
  expect(await operationsOf(key, "?operation=projects.list")).toHaveLength(4);
  expect(await operationsOf(key, "?operation=projects.list", { "x-service-end-user": "bob" })).toHaveLength(
    1,
  );
  expect(await operationsOf(key, "?operation=projects.list", { "x-service-project": shop })).toHaveLength(1);
  expect(await operationsOf(bound.key, "?projectId=proj_00000000000000000000000000")).toEqual([]);
  expect(await operationsOf((await api.createRootKey()).key, "?operation=projects.list")).toEqual([]);
});

test("shows a bound key its own refused calls", async () => {
  const { key } = await api.createRootKey();
  const project = (await create(key, "Shop")).body.project.id;
  const scopes = ["audit:read"];
  const bound = await api.createChild(key, { projectId: project, endUser: "ada", scopes });
  expect((await list(bound.key)).status).toBe(403);
  const [event] = await eventsOf(bound.key, "?outcome=denied");
  expect(event).toMatchObject({
    operation: "projects.list",
    projectId: project,
    endUser: "ada",
    status: 403,
  });
});

test("needs the scope audit:read", async () => {
  const { key } = await api.createRootKey({ scopes: ["projects:read"] });
  const refused = await api.send("GET", "/v1/audit-events", { key });
  expect(refused.body.error).toMatchObject({ status: 403, code: "scope_missing", check: "scope" });
});

test("moves events of months without a partition to one of their own", async () => {
  const { accountId } = await api.createRootKey();
  const at = "2025-03-15T12:00:00.000Z";
  await client`insert into audit_pending (account_id, id, at, actor_type, operation, selector, counted, outcome, status, request_id, duration_ms)
    values (${uuidOf("account", accountId)}, ${newUuidAt(new Date(at))}, ${at}, 'system', 'test', 'test', false, 'allowed', 200, 'req_test', 0)`;
  await sealBatch(client);
  await client`select ensure_partitions()`;
  await client`select ensure_partitions()`;
  expect(await client`select count(*)::int as rows from audit_chain_2025_03`).toEqual([{ rows: 1 }]);
  expect(await client`select count(*)::int as rows from audit_chain_rest`).toEqual([{ rows: 0 }]);
});
