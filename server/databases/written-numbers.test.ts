import { afterAll, expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { signUpAndIn } from "#server/testing/console.ts";
import { connectMcp } from "#server/testing/mcp-client.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";

const tenants = await startTenantCluster();
const api = await startApi({
  settings: { tenantClusters: [tenants.cluster] },
  trustedProxies: ["127.0.0.1"],
});
afterAll(() => tenants.drop());

// Not in the standard library's types yet.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): number };
const NUMBERS = ["0.1234567890123456789", "12345678901234567890", "1.50", "9007199254740993"];
const DOCUMENT = `{"all":[${NUMBERS.join(",")}],"deep":{"one":-7.10}}`;
const document = { all: NUMBERS.map(rawJSON), deep: { one: rawJSON("-7.10") } };

const CREATE = {
  type: "sql",
  sql: "create table numbers (id int4 primary key, exact numeric, b jsonb, j json, list numeric[])",
};
const row = (id: number) => ({
  id,
  exact: rawJSON("0.1234567890123456789"),
  b: document,
  j: document,
  list: document.all,
});
const rowText = (id: number) =>
  `[${id},"0.1234567890123456789",${DOCUMENT},${DOCUMENT},["${NUMBERS.join('","')}"]]`;
const insert = (id: number) => ({ actions: [{ type: "rows.insert", table: "numbers", rows: [row(id)] }] });

async function provisioned() {
  const { key } = await api.createRootKey();
  await api.send("POST", "/v1/databases/account", { key, body: {} });
  await act(key, { actions: [CREATE] });
  return key;
}

const act = (key: string, body: object, idempotencyKey = unique("act")) =>
  api.send("POST", "/v1/databases/actions", { key, body, idempotencyKey });

/** Returns a response's text, because parsing it would round its numbers. */
async function textOf(path: string, key: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${api.origin}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return response.text();
}

const answerOf = (key: string, body: object) => textOf("/v1/databases/query", key, body);

test("keeps every digit of the numbers in rows and parameters, as it answers them", async () => {
  const key = await provisioned();
  expect((await act(key, insert(1))).status).toBe(200);
  expect(await answerOf(key, { sql: "select * from numbers" })).toContain(`"rows":[${rowText(1)}]`);
  const params = [rawJSON("0.1234567890123456789"), document, document.all, rawJSON("1e2")];
  const sql = "select $1::numeric, $2::jsonb, $3::numeric[], $4::int4";
  expect(await answerOf(key, { sql: sql.replace("$4::int4", "($4::numeric)::int4"), params })).toContain(
    `"rows":[["0.1234567890123456789",${DOCUMENT},["${NUMBERS.join('","')}"],100]]`,
  );
});

test("answers every digit on each page of a result, and from actions and their repeats", async () => {
  const key = await provisioned();
  await act(key, { actions: [...insert(1).actions, ...insert(2).actions] });
  const query = { sql: "select * from numbers order by id", maxRows: 1 };
  const { nextCursor } = (await api.send("POST", "/v1/databases/query", { key, body: query })).body;
  expect(await answerOf(key, { ...query, cursor: nextCursor })).toContain(`"rows":[${rowText(2)}]`);
  const [idempotencyKey, body] = [unique("act"), { actions: [{ type: "sql", sql: query.sql }] }];
  for (const _ of ["first", "repeat"])
    expect(await textOf("/v1/databases/actions", key, body, { "idempotency-key": idempotencyKey })).toContain(
      `"rows":[${rowText(1)},${rowText(2)}]`,
    );
});

test("changes and finds rows by numbers as they were written", async () => {
  const key = await provisioned();
  await act(key, insert(1));
  const [set, other] = [rawJSON("0.12345678901234567891"), rawJSON("0.12345678901234567892")];
  const update = (where: object) => ({ type: "rows.update", table: "numbers", set: { exact: set }, where });
  const changed = await act(key, { actions: [update({ exact: other }), update({ exact: row(1).exact })] });
  expect(changed.body.results).toMatchObject([{ rowCount: 0 }, { rowCount: 1 }]);
  expect(await answerOf(key, { sql: "select exact from numbers" })).toContain(
    '"rows":[["0.12345678901234567891"]]',
  );
});

test("distinguishes numbers under one idempotency key that are equal as doubles", async () => {
  const key = await provisioned();
  const idempotencyKey = unique("apart");
  const put = (exact: string) => ({
    actions: [{ type: "rows.insert", table: "numbers", rows: [{ id: 1, exact: rawJSON(exact) }] }],
  });
  const first = await act(key, put("0.10000000000000000001"), idempotencyKey);
  const again = await act(key, put("0.10000000000000000001"), idempotencyKey);
  const other = await act(key, put("0.10000000000000000002"), idempotencyKey);
  expect([first.status, again.status, other.status]).toEqual([200, 200, 409]);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(other.body.error.code).toBe("idempotency_key_reused");
});

test("keeps them for MCP and the console too", async () => {
  const key = await provisioned();
  const { call } = await connectMcp(api.origin, key);
  const called = await call("execute_write", {
    operation: "databases.actions",
    input: insert(2),
    idempotencyKey: unique("mcp"),
  });
  expect(called.isError).toBe(false);
  expect(await answerOf(key, { sql: "select * from numbers" })).toContain(`"rows":[${rowText(2)}]`);
  const read = await call("execute_read", {
    operation: "databases.query",
    input: { sql: "select b from numbers" },
  });
  expect(read.text).toContain(`"rows":[[${DOCUMENT}]]`);
  expect(read.body.rows).toEqual([[JSON.parse(DOCUMENT)]]);

  const ada = await signUpAndIn(api);
  await ada.mutate("databases.account.provision");
  expect((await ada.mutate("databases.actions", { actions: [CREATE] })).status).toBe(200);
  expect((await ada.mutate("databases.actions", insert(3))).status).toBe(200);
  const compare = { type: "sql", sql: "select exact from numbers where exact = $1", params: [row(3).exact] };
  const found = await ada.mutate("databases.actions", { actions: [compare] });
  expect(found.data.results[0].rows).toEqual([["0.1234567890123456789"]]);
});

test("takes a number in any form that means the same, and refuses one that would change", async () => {
  const { key } = await api.createRootKey();
  const create = (overlap: string) =>
    api.send("POST", "/v1/databases/query", {
      key,
      body: { sql: "select 1", maxRows: rawJSON(overlap), timeoutMs: rawJSON("1.5E4") },
      idempotencyKey: null,
    });
  // Without a database a valid body is a conflict.
  for (const same of ["100.000", "1e2", "0.1E+3", "100.0000000000000000000000"])
    expect((await create(same)).status).toBe(409);
  for (const other of ["100.00000000000000001", "99.99999999999999999"]) {
    const refused = await create(other);
    expect(refused.body.error).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "body.maxRows", message: expect.stringContaining(other) }],
    });
  }
});

test.each(["4.9999999999999999", "5.000000000000000001", "500.00000000000000001"])(
  "judges an amount of %s as it was written, over HTTP, MCP and the console",
  async (amount) => {
    const { key } = await api.createRootKey();
    const body = { amountUsd: rawJSON(amount) };
    const refused = { code: "invalid_request", issues: [{ path: "body.amountUsd" }] };
    const answer = await api.send("POST", "/v1/credits/x402/top-up", { key, body });
    expect(answer.body.error).toMatchObject({ status: 400, ...refused });
    const ada = await signUpAndIn(api);
    expect((await ada.mutate("credits.x402.topUp", body)).error).toMatchObject(refused);
  },
);

test("answers documents of many levels where they are read, and refuses to have actions answer them", async () => {
  const key = await provisioned();
  const nested = (levels: number) =>
    `select (repeat('[', ${levels}) || repeat(']', ${levels}))::json as deep`;
  for (const levels of [64, 65, 20_000]) {
    const read = await api.send("POST", "/v1/databases/query", { key, body: { sql: nested(levels) } });
    expect(read.status).toBe(200);
    const { status, body } = await act(key, { actions: [{ type: "sql", sql: nested(levels) }] });
    expect([status, body.error?.code]).toEqual(
      levels === 64 ? [200, undefined] : [422, "query_limit_exceeded"],
    );
  }
});

test.each(["25.00000000000000000001", "24.99999999999999999999"])(
  "judges a query's %s as it was written, over HTTP, MCP and the console",
  async (limit) => {
    const { key } = await api.createRootKey();
    const issues = [{ path: "query.limit", message: expect.stringContaining(limit) }];
    const answer = await api.send("GET", `/v1/projects?limit=${limit}`, { key });
    expect(answer.body.error).toMatchObject({ status: 400, issues });
    const ada = await signUpAndIn(api);
    const refused = await ada.query("projects.list", { limit: rawJSON(limit) });
    expect(refused.error).toMatchObject({ status: 400, issues });
    const [same, whole] = [await ada.query("projects.list", { limit: rawJSON("2.50e1") }), { limit: 25 }];
    expect([same.status, (await ada.query("projects.list", whole)).status]).toEqual([200, 200]);
  },
);
