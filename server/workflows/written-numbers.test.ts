import { afterAll, expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { startPeer } from "#server/testing/peer.ts";
import { startRuns } from "#server/testing/runs.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import { createStarter } from "#server/testing/workflows.ts";

const tenants = await startTenantCluster();
const api = await startApi({ settings: { tenantClusters: [tenants.cluster] } });
const worker = await startRuns(api);
afterAll(async () => {
  await worker.stop();
  await tenants.drop();
});

// Not in the standard library's types yet.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): number };
const DOCUMENT = '{"id":9007199254740993,"list":[0.1234567890123456789,1e400],"near":0.10000000000000001}';
const starter = await createStarter(api);

/** Returns the text of a run's result, because parsing it would round its numbers. */
async function resultOf(runId: string): Promise<string> {
  const response = await fetch(`${api.origin}/v1/runs/${runId}`, {
    headers: { authorization: `Bearer ${starter.root}` },
  });
  const text = await response.text();
  return text.slice(text.indexOf('"result":'));
}

const get = (peer: { host: string; origin: string }, connectionId: string) => ({
  id: "get",
  type: "http",
  connectionId,
  method: "GET",
  url: `${peer.origin}/`,
});

test("passes a database's numbers back to it, and to others, digit for digit", async () => {
  const { root: key, connect, run } = starter;
  const peer = await startPeer(() => ({ status: 200 }));
  const connectionId = await connect(peer.host);
  await api.send("POST", "/v1/databases/account", { key, body: {} });
  const create = `create table documents (id int4 primary key, j json);
    insert into documents values (1, '${DOCUMENT}')`.split(";");
  const actions = create.map((sql) => ({ type: "sql", sql }));
  const made = await api.send("POST", "/v1/databases/actions", {
    key,
    body: { actions },
    idempotencyKey: unique("make"),
  });
  expect(made.status).toBe(200);
  const document = "{% steps.read.rows[0][0] %}";
  const { id } = await run(
    [
      {
        id: "read",
        type: "operation",
        operation: "databases.query",
        body: { sql: "select j from documents" },
      },
      {
        id: "write",
        type: "operation",
        operation: "databases.actions",
        body: { actions: [{ type: "rows.insert", table: "documents", rows: [{ id: 2, j: document }] }] },
      },
      {
        id: "send",
        type: "http",
        connectionId,
        method: "POST",
        url: `${peer.origin}/`,
        body: { document, text: "{% steps.read.rows[0][0].id %}!" },
      },
      {
        id: "again",
        type: "operation",
        operation: "databases.query",
        body: { sql: "select j::text from documents where id = 2" },
      },
    ],
    undefined,
    {
      stored: "{% steps.again.rows[0][0] %}",
      read: document,
      updated: `{% steps.read.rows[0][0] ~> |$|{"more": true}| %}`,
    },
  );
  expect(peer.received[0]?.body).toBe(`{"document":${DOCUMENT},"text":"9007199254740993!"}`);
  expect(await resultOf(id)).toContain(
    `"output":{"stored":${JSON.stringify(DOCUMENT)},"read":${DOCUMENT},"updated":${DOCUMENT.slice(0, -1)},"more":true}}`,
  );
});

test("hands a peer's numbers on as they were written, and computes with them only where that is asked for", async () => {
  const { connect, run, fail } = starter;
  const peer = await startPeer(() => ({
    status: 200,
    body: '{"id":1234567890123456789,"price":1.50}',
  }));
  const step = get(peer, await connect(peer.host));
  const { id } = await run([step], undefined, {
    id: "{% steps.get.body.id %}",
    text: "{% $string(steps.get.body.id) %}",
    rounded: "{% $number($string(steps.get.body.id)) + 1 %}",
    price: "{% steps.get.body.price * 2 %}",
  });
  expect(await resultOf(id)).toContain(
    '"output":{"id":1234567890123456789,"text":"1234567890123456789","rounded":1234567890123456800,"price":3}',
  );
  const computed = {
    id: "sum",
    type: "branch",
    cases: [{ when: "{% steps.get.body.id + 1 > 0 %}", steps: [{ ...step, id: "more" }] }],
  };
  const { error } = await fail([step, computed]);
  expect(error).toMatchObject({ code: "invalid_request", message: expect.stringContaining("number") });
  const wait = await fail([step, { id: "pause", type: "wait", seconds: "{% steps.get.body.id %}" }]);
  expect(wait.error).toMatchObject({ code: "invalid_request", step: "steps.pause" });
});

test.each([
  ["bytes", "select repeat('x', 9000000)", "One row has 9000005 bytes"],
  ["levels", "select (repeat('[', 20000) || repeat(']', 20000))::json", "levels, which no run can hold"],
])("ends a run whose step is answered more %s than it can hold", async (_, sql, message) => {
  const { error } = await starter.fail([
    { id: "read", type: "operation", operation: "databases.query", body: { sql } },
  ]);
  expect(error).toMatchObject({
    code: "query_limit_exceeded",
    step: "steps.read",
    message: expect.stringContaining(message),
  });
});

test("refuses a number in a call's input that would be rounded", async () => {
  const amount = rawJSON("0.1234567890123456789");
  const answer = await api.send("POST", "/v1/runs", {
    key: starter.key,
    body: {
      serviceId: "managed-workflows",
      operationId: "execute",
      input: {
        workflow: { name: "Rounded", steps: [{ id: "w", type: "wait", seconds: 0 }] },
        input: { amount },
      },
    },
  });
  expect(answer.body.error).toMatchObject({
    code: "invalid_request",
    issues: [{ path: "body.input.input.amount", message: expect.stringContaining("0.1234567890123456789") }],
  });
});
