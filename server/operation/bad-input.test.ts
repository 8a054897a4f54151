import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { everyApiOperation } from "#server/operations.ts";
import { type Answered, startApi, unique } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { chainBody } from "#server/testing/chain-bodies.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { paidOn } from "#server/testing/payments.ts";
import { sendRaw } from "#server/testing/raw.ts";
import { createResource, ownedParams, pathOf } from "#server/testing/resources.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";

const tenants = await startTenantCluster();
const chain = await startTestChain();
const api = await startApi({
  settings: { tenantClusters: [tenants.cluster], ...(await paidOn(chain)) },
});
afterAll(() => tenants.drop());
const { key } = await createPayingKey(api, 1000);
await api.send("POST", "/v1/databases/account", { key });
const withBody = everyApiOperation.filter((operation) => operation.body);

const MB = 1_048_576;
const utf8 = (text: string) => Buffer.from(text);

/** Bodies, or their first bytes, that are not JSON in UTF-8. */
const NOT_JSON: Record<string, Buffer> = {
  "cut off": utf8('{"name":'),
  "single quotes": utf8("{'name': 1}"),
  "a comma too many": utf8('{"name": 1,}'),
  "a comment": utf8('{"name": 1} // name'),
  "two values": utf8("{} {}"),
  "white space only": utf8("  \n"),
  NaN: utf8('{"name": NaN}'),
  "a number with a leading zero": utf8('{"name": 01}'),
  "an unescaped NUL": utf8('{"name": "a\0b"}'),
  "a NUL byte": utf8("\0"),
  "a raw line break in a string": utf8('{"name": "a\nb"}'),
  "a byte order mark": utf8('\ufeff{"name": "a"}'),
  "invalid UTF-8": Buffer.concat([utf8('{"name": "'), Buffer.from([0xc3, 0x28]), utf8('"}')]),
  "an overlong encoding": Buffer.concat([utf8('{"name": "'), Buffer.from([0xc0, 0xaf]), utf8('"}')]),
  "an encoded surrogate": Buffer.concat([utf8('{"name": "'), Buffer.from([0xed, 0xa0, 0x80]), utf8('"}')]),
  "UTF-16": Buffer.from('{"name": "a"}', "utf16le"),
  "100,000 lists that are not closed": utf8("[".repeat(100_000)),
  "a form": utf8("name=a&slug=b"),
};

/** JSON whose fault is found for every operation, with the path that the refusal names. */
const FAULTY: Record<string, [text: string, path: string]> = {
  "a list": ["[]", "body"],
  null: ["null", "body"],
  "a string": ['"name"', "body"],
  "a number": ["7", "body"],
  "an unknown field": ['{"surprise": 1}', "body.surprise"],
  "the name __proto__": ['{"__proto__": {"admin": true}}', "body"],
  "the name __proto__ inside": ['{"surprise": {"__proto__": 1}}', "body.surprise"],
  "the name constructor": ['{"constructor": {"prototype": {}}}', "body.constructor"],
  "a field twice": ['{"surprise": 1, "surprise": 2}', "body.surprise"],
  "a field twice, once escaped": ['{"surprise": 1, "\\u0073urprise": 2}', "body.surprise"],
  "a field twice inside": ['{"surprise": [{"a": 1, "b": {"a": 1}, "a": 2}]}', "body.surprise.0.a"],
  "a number beyond a double": ['{"surprise": 1e400}', "body.surprise"],
  "an integer that a double rounds": ['{"surprise": [0, 12345678901234567890]}', "body.surprise.1"],
  "an integer of 1,000 digits": [`{"surprise": ${"9".repeat(1000)}}`, "body.surprise"],
  "an escaped NUL": ['{"surprise": "a\\u0000b"}', "body.surprise"],
  "an escaped NUL in a name": ['{"a\\u0000b": 1}', "body"],
  "a lone surrogate": ['{"surprise": "\\ud800"}', "body.surprise"],
  "a lone surrogate in a name": ['{"\\udfff": 1}', "body"],
  "100,000 lists": [
    `{"surprise": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    `body.surprise${".0".repeat(63)}`,
  ],
  "100,000 objects": [`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`, `body${".a".repeat(64)}`],
};

const HOSTILE_VALUES = [
  null,
  7,
  -1,
  0.5,
  true,
  "",
  " ",
  "x".repeat(100_000),
  [],
  [[]],
  [null],
  {},
  { surprise: 1 },
];

const OTHER_TYPES = [
  "text/plain",
  "text/json",
  "application/jsonp",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/octet-stream",
  "application/json, application/json",
];

/** Returns the number of rows by table; requests leave traces only in the audit. */
async function counts(): Promise<Record<string, number>> {
  const sql = api.platform.database.client;
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables
    where schemaname = 'public' and tablename !~ '^(audit|rate_limit|leases|usage)' order by 1`;
  const rows = await Promise.all(
    tables.map(async ({ name }) => [name, (await sql`select from ${sql(name)}`).count] as const),
  );
  return Object.fromEntries(rows);
}

describe.for(withBody)("$operationId", (operation) => {
  const idempotencyKey = unique("bad-input");
  const shape = operation.body?.shape ?? {};
  let path: string;
  let good: Record<string, unknown>;
  let before: Record<string, number>;

  beforeAll(async () => {
    const ids: Record<string, string> = {};
    for (const param of ownedParams(operation)) ids[param] = await createResource(api, key, param);
    good = (await chainBody(operation, { api, key, chain, ids })) as typeof good;
    path = pathOf(operation, ids);
    before = await counts();
  });

  function send(body: Uint8Array, headers: [string, string][] = [], chunked = false): Promise<Answered> {
    const usual: [string, string][] = [
      ["authorization", `Bearer ${key}`],
      ["idempotency-key", idempotencyKey],
      ["content-type", "application/json"],
    ];
    const replaced = new Set(headers.map(([name]) => name));
    return sendRaw(api.origin + path, {
      method: operation.method,
      headers: [...usual.filter(([name]) => !replaced.has(name)), ...headers],
      body,
      chunked,
    });
  }

  function expectRefused(answer: Answered, status: number, code: string) {
    expect(answer.body).toMatchObject({ ok: false, error: { code, status, operationState: "not_started" } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("x-request-id")).toBe(answer.body.error.requestId);
  }

  test.for(Object.entries(NOT_JSON))("refuses %s as no JSON", async ([, bytes]) => {
    expectRefused(await send(bytes), 400, "invalid_json");
  });

  test.for(Object.entries(FAULTY))("refuses %s, naming it", async ([, [text, path]]) => {
    const answer = await send(utf8(text));
    expectRefused(answer, 400, "invalid_request");
    expect(answer.body.error.issues.map((issue: { path: string }) => issue.path)).toContain(path);
  });

  const wrong = Object.entries(shape).flatMap(([field, schema]) =>
    HOSTILE_VALUES.filter((value) => !schema.safeParse(value).success).map((value) => ({ field, value })),
  );
  test.for(wrong)("refuses $value as $field, naming it", async ({ field, value }) => {
    const answer = await send(utf8(JSON.stringify({ ...good, [field]: value })));
    expectRefused(answer, 400, "invalid_request");
    expect(answer.body.error.issues[0].path).toMatch(new RegExp(`^body\\.${field}(\\.|$)`));
    expect(answer.body.error.issues[0].message).toMatch(/\.$/);
  });

  test("refuses a body of more than 1 MB, whether its length is declared or not", async () => {
    const body = utf8(JSON.stringify({ ...good, surprise: "x".repeat(MB) }));
    expectRefused(await send(body), 413, "payload_too_large");
    expectRefused(await send(body, [], true), 413, "payload_too_large");
  });

  test("reads a body of 1 MB", async () => {
    const body = utf8(JSON.stringify({ surprise: "x".repeat(MB - 16) }));
    expect(body.byteLength).toBe(MB - 1);
    expectRefused(await send(body), 400, "invalid_request");
  });

  test.for(OTHER_TYPES)("refuses the type %s", async (type) => {
    expectRefused(await send(utf8("{}"), [["content-type", type]]), 415, "unsupported_media_type");
  });

  test("refuses a compressed body", async () => {
    expectRefused(await send(utf8("{}"), [["content-encoding", "gzip"]]), 415, "unsupported_media_type");
  });

  test.for(["authorization", "idempotency-key", "x-service-project", "x-service-end-user"])(
    "refuses the header %s sent twice",
    async (name) => {
      const value =
        { authorization: `Bearer ${key}`, "idempotency-key": idempotencyKey }[name] ?? "customer-1";
      const answer = await send(utf8(JSON.stringify(good)), [
        [name, value],
        [name, value],
      ]);
      expectRefused(answer, 400, "invalid_request");
      expect(answer.body.error.issues).toEqual([{ path: `header.${name}`, message: expect.any(String) }]);
    },
  );

  test("refuses a secret in its body", async () => {
    const body = utf8(JSON.stringify({ ...good, surprise: { deep: [`the key is ${key}`] } }));
    expectRefused(await send(body), 400, "credential_in_body");
  });

  test("keeps nothing of all that was refused", async () => {
    expect(await counts()).toEqual(before);
  });

  test("takes the right body under the same Idempotency-Key afterwards", async () => {
    const answer = await send(utf8(JSON.stringify(good)));
    // If an operation is paid with a header, the valid body alone gets the payment's offer.
    expect(answer.status).toBe(operation.payment ? 402 : operation.status);
    expect(answer.headers.get("idempotent-replayed")).toBeNull();
  });
});

const needy = withBody.filter((operation) => !operation.body?.safeParse({}).success);

test.for(needy)("$operationId refuses an empty body, naming the required fields", async (operation) => {
  const answer = await api.send(operation.method, pathOf(operation), { key });
  expect(answer.body.error).toMatchObject({ status: 400, code: "invalid_request" });
  expect(answer.body.error.issues[0].message).toMatch(/^Required: send /);
});

const hostileQueries = [
  "limit=0",
  "limit=101",
  "limit=1.5",
  "limit=1e400",
  "limit=25.00000000000000000001",
  "limit=0x19",
  "limit=NaN",
  "limit=",
  "limit=%00",
  "cursor=%00",
  "cursor=%ff",
  "cursor=AAAA",
  `cursor=${"x".repeat(600)}`,
  "__proto__=1",
  "constructor=1",
  "%00=1",
  "limit[]=1",
  "limit=1&limit=1",
];

test.for(hostileQueries)("lists refuse the query %s, naming it", async (query) => {
  const answer = await api.send("GET", `/v1/projects?${query}`, { key });
  expect(answer.body.error).toMatchObject({
    status: 400,
    code: "invalid_request",
    operationState: "not_started",
  });
  expect(answer.body.error.issues[0].path).toBe(`query.${decodeURIComponent(defined(query.split("=")[0]))}`);
});

test("echoes nothing by TRACE", async () => {
  const headers: [string, string][] = [["x-secret", "echo"]];
  const answer = await sendRaw(`${api.origin}/v1/projects`, { method: "TRACE", headers });
  expect(answer.status).toBe(405);
  expect(JSON.stringify(answer.body)).not.toContain("echo");
});
