import { expect, test } from "vitest";
import { z } from "zod";
import { projects } from "#db/schema/projects.ts";
import { newId, uuidOf } from "#server/base/ids.ts";
import { ApiError } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { type Answered, startApi, unique } from "#server/testing/api.ts";

/** Writes a project, and then fails as its input says. */
const writeAndFail = operation({
  id: "test.writeAndFail",
  method: "POST",
  path: "/test/write-and-fail",
  summary: "Write, then fail",
  scope: "projects:write",
  idempotent: true,
  body: z.object({ how: z.enum(["refuse", "break", "answer wrongly"]) }),
  output: z.object({ projectId: z.string() }),
  async handler({ body, caller, db }) {
    const { accountId } = caller;
    await db
      .insert(projects)
      .values({ accountId, id: newId("project"), name: "x", slug: "x", updatedAt: new Date() });
    if (body.how === "refuse") throw new ApiError("state_conflict", "Refused after the write.");
    if (body.how === "break") throw new Error("Broken after the write.");
    return {} as never;
  },
});

const api = await startApi({ extra: [writeAndFail] });
const { client } = api.platform.database;

async function eventsOf({ headers }: Answered) {
  return client`select operation, outcome, status, error_code, resource, actor_type, charged_credits::int
    from audit_events where request_id = ${headers.get("x-request-id")}`;
}
const create = (key: string, body: unknown = { name: "Shop" }, options = {}) =>
  api.send("POST", "/v1/projects", { key, body, ...options });
const list = (key: string, path = "/v1/projects", headers = {}) => api.send("GET", path, { key, headers });

test("records every answered call of a known caller exactly once, with how it ended", async () => {
  const { key } = await api.createRootKey();
  const reader = await api.createChild(key, { scopes: ["projects:read"] });
  const limited = await api.createChild(key, { limits: { "projects.list": { requestsPerMinute: 1 } } });
  const narrow = await api.createChild(key, { allowedOperations: ["projects.list"] });
  const expired = await api.createChild(key);
  const orphan = await api.createChild(expired.key);
  const revoked = await api.createChild(key);
  const made = await create(key, { name: "Shop", slug: "shop" }, { idempotencyKey: "made-once" });
  const id = made.body.project.id;
  await list(limited.key);
  await api.send("DELETE", `/v1/api-keys/${revoked.apiKey.id}`, { key });
  await client`update api_keys set expires_at = now() where id = ${uuidOf("apiKey", expired.apiKey.id)}`;
  const missing = "proj_00000000000000000000000000";

  const allowed = ["allowed", null];
  const denied = (code: string) => ["denied", code];
  const cases: [Promise<Answered>, number, string, (string | null)[], string | null][] = [
    [list(key), 200, "projects.list", allowed, null],
    [list(key, `/v1/projects/${id}`), 200, "projects.read", allowed, id],
    [
      create(key, { name: "Shop", slug: "shop" }, { idempotencyKey: "made-once" }),
      201,
      "projects.create",
      allowed,
      null,
    ],
    [create(key, { name: "Two", slug: "shop" }), 409, "projects.create", denied("already_exists"), null],
    [
      create(key, { name: "Other" }, { idempotencyKey: "made-once" }),
      409,
      "projects.create",
      denied("idempotency_key_reused"),
      null,
    ],
    [create(key, { name: "" }), 400, "projects.create", denied("invalid_request"), null],
    [
      create(key, {}, { idempotencyKey: null }),
      400,
      "projects.create",
      denied("idempotency_key_required"),
      null,
    ],
    [create(key, { name: "x".repeat(1_100_000) }), 413, "projects.create", denied("payload_too_large"), null],
    [
      create(key, "x", { headers: { "content-type": "text/plain" } }),
      415,
      "projects.create",
      denied("unsupported_media_type"),
      null,
    ],
    [list(key, "/v1/projects?unknown=1"), 400, "projects.list", denied("invalid_request"), null],
    [list(key, `/v1/projects/${missing}`), 404, "projects.read", denied("not_found"), missing],
    [list(key, "/v1/projects/%00%F0%9F%92%A9"), 404, "projects.read", denied("not_found"), "💩"],
    [
      list(key, "/v1/projects", { "x-service-project": missing }),
      404,
      "projects.list",
      denied("not_found"),
      null,
    ],
    [
      list(key, "/v1/projects", { "x-service-project": "nonsense" }),
      404,
      "projects.list",
      denied("not_found"),
      null,
    ],
    [
      list(key, "/v1/projects", { "x-service-end-user": "x".repeat(201) }),
      400,
      "projects.list",
      denied("invalid_request"),
      null,
    ],
    [create(reader.key), 403, "projects.create", denied("scope_missing"), null],
    [list(narrow.key, `/v1/projects/${id}`), 403, "projects.read", denied("operation_not_allowed"), id],
    [list(limited.key), 429, "projects.list", denied("limit_exhausted"), null],
    [list(expired.key), 401, "projects.list", denied("api_key_expired"), null],
    [list(orphan.key), 401, "projects.list", denied("ancestor_expired"), null],
    [list(revoked.key), 401, "projects.list", denied("api_key_revoked"), null],
  ];
  for (const [sent, status, operation, [outcome, errorCode], resource] of cases) {
    const answer = await sent;
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    expect(await eventsOf(answer), `${operation} ${status}`).toEqual([
      { operation, outcome, status, error_code: errorCode, resource, actor_type: "key", charged_credits: 0 },
    ]);
  }
});

test("checks the caller before the headers", async () => {
  const headers = { "x-service-project": "nonsense", "x-service-end-user": "x".repeat(201) };
  const unknown = await list(`svc_live_${"0".repeat(49)}`, "/v1/projects", headers);
  expect(unknown.body.error).toMatchObject({ status: 401, code: "unauthenticated" });
  const { key } = await api.createRootKey({ scopes: ["usage:read"] });
  expect((await list(key, "/v1/projects", headers)).body.error).toMatchObject({
    status: 403,
    code: "scope_missing",
  });
});

test("records the creation of a first key by its credit token", async () => {
  const { creditToken } = await api.createAccount();
  const send = () =>
    api.send("POST", "/v1/api-keys", {
      headers: { "x-service-credit-token": creditToken },
      body: { label: "First", scopes: ["projects:read"] },
      idempotencyKey: "the-first-key",
    });
  const created = await send();
  const replayed = await send();
  for (const answer of [created, replayed])
    expect(await eventsOf(answer)).toMatchObject([
      { operation: "apiKeys.create", status: 201, actor_type: "system" },
    ]);
  expect((await eventsOf(created))[0]?.resource).toBe(created.body.apiKey.id);
});

test("leaves of a write that fails no effect, and one event that says so", async () => {
  const { key } = await api.createRootKey();
  const failures = [
    ["refuse", 409, "denied", "state_conflict"],
    ["break", 500, "error", "internal"],
    ["answer wrongly", 500, "error", "internal"],
  ] as const;
  for (const [how, status, outcome, errorCode] of failures) {
    const answer = await api.send("POST", "/v1/test/write-and-fail", { key, body: { how } });
    expect(answer.status).toBe(status);
    expect(await eventsOf(answer)).toMatchObject([{ outcome, status, error_code: errorCode }]);
  }
  expect((await list(key)).body.projects).toEqual([]);
});

test("writes an event in its effect's transaction: where it can't be written, nothing happened", async () => {
  const { key } = await api.createRootKey();
  const name = unique("refused");
  await client`alter table audit_pending add constraint broken check (operation <> 'projects.create') not valid`;
  const refused = await create(key, { name }).finally(
    () => client`alter table audit_pending drop constraint broken`,
  );
  expect(refused.status).toBe(500);
  expect((await list(key)).body.projects).toEqual([]);
  expect((await create(key, { name })).status).toBe(201);
});

test("misses none of a thousand calls at once", async () => {
  const { key, accountId } = await api.createRootKey();
  const answers = await Promise.all(Array.from({ length: 1000 }, () => list(key)));
  const [row] = await client`select count(*)::int as events, count(distinct request_id)::int as requests
    from audit_events where account_id = ${uuidOf("account", accountId)} and operation = 'projects.list'`;
  expect(row).toEqual({ events: 1000, requests: 1000 });
  expect(new Set(answers.map((answer) => answer.headers.get("x-request-id"))).size).toBe(1000);
});

test("keeps secrets out of events, wherever they were sent", async () => {
  const { key, creditToken, accountId } = await api.createRootKey();
  const child = await api.createChild(key);
  await list(key, "/v1/projects", { "user-agent": `client ${key}` });
  await list(key, `/v1/projects/${key}`);
  await list(key, `/v1/projects?cursor=${key}`);
  await create(key, { name: key });
  await list(key, "/v1/projects", { "x-service-project": key });
  const events =
    await client`select e::text as text from audit_events e where account_id = ${uuidOf("account", accountId)}`;
  expect(events.length).toBeGreaterThanOrEqual(4);
  for (const secret of [key, creditToken, child.key])
    expect(JSON.stringify(events)).not.toContain(secret.slice(15));
});
