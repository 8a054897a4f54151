import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";

const api = await startApi();
const { key } = await api.createRootKey();
const create = (idempotencyKey: string | null, body: unknown = { name: "Shop" }, options = {}) =>
  api.send("POST", "/v1/projects", { key, body, idempotencyKey, ...options });

test("runs twenty parallel duplicates once and answers them alike", async () => {
  const idempotencyKey = unique("dup");
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(idempotencyKey)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
  expect(answers.filter((answer) => answer.headers.get("idempotent-replayed") === null)).toHaveLength(1);
  expect(new Set(answers.map((answer) => answer.headers.get("x-request-id"))).size).toBe(20);
});

test("refuses other input, another path, project or end user under the same key", async () => {
  const idempotencyKey = unique("reuse");
  const first = await create(idempotencyKey);
  const id = first.body.project.id;
  const attempts = [
    await create(idempotencyKey, { name: "Other" }),
    await api.send("PATCH", `/v1/projects/${id}`, { key, body: { name: "Shop" }, idempotencyKey }),
    await create(idempotencyKey, { name: "Shop" }, { headers: { "x-service-project": id } }),
    await create(idempotencyKey, { name: "Shop" }, { headers: { "x-service-end-user": "ada" } }),
  ];
  for (const attempt of attempts)
    expect(attempt.body.error).toMatchObject({ status: 409, code: "idempotency_key_reused" });
});

test("takes the same input in another order and spelling as the same", async () => {
  const idempotencyKey = unique("canonical");
  const first = await create(idempotencyKey, { name: "Shop", metadata: { a: 1, b: [1.0, "x"] } });
  const again = await create(idempotencyKey, { metadata: { b: [1, "x"], a: 1 }, name: "Shop" });
  expect(again.body).toEqual(first.body);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
});

test("keeps keys of callers apart", async () => {
  const idempotencyKey = unique("sibling");
  const sibling = await api.createChild(key);
  const first = await create(idempotencyKey);
  const other = await create(idempotencyKey, { name: "Shop" }, { key: sibling.key });
  expect(other.status).toBe(201);
  expect(other.body.project.id).not.toBe(first.body.project.id);
});

test("wants 8 to 200 characters, sent once", async () => {
  expect((await create(null)).body.error).toMatchObject({ status: 400, code: "idempotency_key_required" });
  for (const wrong of ["short", "x".repeat(201), "has space in it"]) {
    expect((await create(wrong)).body.error).toMatchObject({ status: 400, code: "idempotency_key_invalid" });
  }
  expect((await create("a:b.c_d-9")).status).toBe(201);
});

test("stores nothing of a refused call, so that the key is free for a better one", async () => {
  const idempotencyKey = unique("refused");
  expect((await create(idempotencyKey, { name: "" })).status).toBe(400);
  const slug = unique("slug");
  await create(unique("first"), { name: "A", slug });
  expect((await create(idempotencyKey, { name: "B", slug })).body.error).toMatchObject({
    status: 409,
    code: "already_exists",
  });
  expect((await create(idempotencyKey, { name: "B", slug: `${slug}-2` })).status).toBe(201);
});

test("never replays to a key that was revoked", async () => {
  const child = await api.createChild(key);
  const idempotencyKey = unique("revoked");
  await create(idempotencyKey, { name: "Shop" }, { key: child.key });
  await api.send("DELETE", `/v1/api-keys/${child.apiKey.id}`, { key });
  const again = await create(idempotencyKey, { name: "Shop" }, { key: child.key });
  expect(again.body.error).toMatchObject({ status: 401, code: "api_key_revoked" });
});

test("seals a stored secret so that only its caller opens it", async () => {
  const idempotencyKey = unique("sealed");
  const body = { label: "Sealed", scopes: ["projects:read"] };
  const first = await api.send("POST", "/v1/api-keys", { key, body, idempotencyKey });
  const again = await api.send("POST", "/v1/api-keys", { key, body, idempotencyKey });
  expect(again.body).toEqual(first.body);
  const rows = await api.platform.database
    .client`select body from idempotency_records where key = ${idempotencyKey}`;
  expect(Buffer.from(rows[0]?.body).toString("latin1")).not.toContain(first.body.apiKey.id);
});

test("replays the answer of a call whose project was archived since, and refuses a new one", async () => {
  const { key } = await createPayingKey(api, 100);
  const made = await api.send("POST", "/v1/projects", { key, body: { name: "Shop" } });
  const project = made.body.project.id;
  const bound = await api.createChild(key, { projectId: project });
  const callers: { key: string; headers: Record<string, string> }[] = [
    { key: bound.key, headers: {} },
    { key, headers: { "x-service-project": project } },
  ];
  const calls = callers.flatMap(({ key, headers }) => [
    {
      path: "/v1/services/managed-memory/invoke",
      options: { key, headers, body: { operationId: "put", input: { content: "kept" } } },
    },
    {
      path: "/v1/runs",
      options: { key, headers, body: { serviceId: "managed-memory", operationId: "list", input: {} } },
    },
    {
      path: "/v1/files",
      options: { key, headers: { ...headers, "x-file-name": "a" }, bytes: Buffer.from("a") },
    },
  ]);
  const send = ({ path, options }: (typeof calls)[number], idempotencyKey: string) =>
    api.send("POST", path, { ...options, idempotencyKey });
  const first = [];
  for (const call of calls) {
    const idempotencyKey = unique("archived");
    first.push({ call, idempotencyKey, answer: await send(call, idempotencyKey) });
  }
  expect(first.map(({ answer }) => answer.status)).toEqual([200, 202, 201, 200, 202, 201]);
  expect((await api.send("DELETE", `/v1/projects/${project}`, { key })).status).toBe(200);
  for (const { call, idempotencyKey, answer } of first) {
    const again = await send(call, idempotencyKey);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.status).toBe(answer.status);
    expect(again.body).toEqual(answer.body);
    const fresh = await send(call, unique("archived"));
    expect(fresh.body.error).toMatchObject({
      status: 409,
      code: "state_conflict",
      operationState: "not_started",
    });
  }
  const revoked = await api.send("DELETE", `/v1/api-keys/${bound.apiKey.id}`, { key });
  expect(revoked.status).toBe(200);
  const [one] = first;
  const late = await send(defined(one).call, defined(one).idempotencyKey);
  expect(late.body.error).toMatchObject({ status: 401, code: "api_key_revoked" });
});
