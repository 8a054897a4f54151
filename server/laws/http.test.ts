import { describe, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import type { Operation } from "#server/operation/operation.ts";
import { apiOperations } from "#server/operations.ts";
import { ALL_SCOPES, startApi } from "#server/testing/api.ts";
import { exampleBody } from "#server/testing/example-bodies.ts";
import { callerOf, comparable, expectRefusal } from "#server/testing/operation-calls.ts";
import { operationsToTry } from "#server/testing/operations-to-try.ts";
import { createResource, missingId, ownedParams, pathOf, withQuery } from "#server/testing/resources.ts";

const api = await startApi();
const mine = await api.createRootKey();
const other = await api.createRootKey();

const call = callerOf(api, mine.key);

const operations = operationsToTry();
const keyed = operations.filter((operation) => operation.scope !== null);
const writes = keyed.filter((operation) => operation.method !== "GET");

describe.for(keyed.filter(({ scope }) => scope !== "any"))("$operationId", (operation) => {
  test("answers 403 to a key without its scope, naming the key", async () => {
    const scopes = ALL_SCOPES.filter((scope) => scope !== operation.scope);
    const { key, apiKey } = await api.createChild(mine.key, { scopes });
    const answer = await call(operation, { key });
    expectRefusal(operation, answer, 403, "scope_missing", { check: "scope", keyId: apiKey.id });
  });

  test("answers 403 to a key that may call any other operation only", async () => {
    const { key, apiKey } = await api.createChild(mine.key, { excludedOperations: [operation.id] });
    const answer = await call(operation, { key });
    expectRefusal(operation, answer, 403, "operation_not_allowed", { check: "operation", keyId: apiKey.id });
  });
});

describe.for(keyed)("$operationId", (operation) => {
  test("answers 401 without a key", async () => {
    const answer = await call(operation, { key: "" });
    expectRefusal(operation, answer, 401, "unauthenticated", { retryable: false });
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });

  test("answers 429 where the key's limit is exhausted, naming the operation", async () => {
    const { key, apiKey } = await api.createChild(mine.key, { limits: { "*": { requestsPerMinute: 1 } } });
    await call(operation, { key, path: withQuery(pathOf(operation), "surprise=1") });
    const answer = await call(operation, { key });
    expectRefusal(operation, answer, 429, "limit_exhausted", { check: "limit", keyId: apiKey.id });
    expect(answer.headers.get("x-service-limit-operation")).toContain(operation.id);
    expect(Number(answer.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  });

  test("answers 404 to the project of another account, as to a missing one", async () => {
    const foreign = await createResource(api, other.key, "projectId");
    const missing = missingId("projectId");
    const [one, two] = await Promise.all(
      [foreign, missing].map((id) => call(operation, { headers: { "x-service-project": id } })),
    );
    expectRefusal(operation, defined(one), 404, "not_found");
    expect(comparable(defined(one), foreign)).toBe(comparable(defined(two), missing));
  });

  test("refuses an unknown query parameter, naming it", async () => {
    const answer = await call(operation, { path: withQuery(pathOf(operation), "surprise=1") });
    expectRefusal(operation, answer, 400, "invalid_request", {
      issues: [{ path: "query.surprise", message: "Unknown query parameter." }],
    });
  });

  test("refuses a query parameter that is sent twice, naming it", async () => {
    const answer = await call(operation, { path: withQuery(pathOf(operation), "limit=1&limit=2") });
    expectRefusal(operation, answer, 400, "invalid_request", {
      issues: [{ path: "query.limit", message: "Sent more than once." }],
    });
  });

  test("refuses a secret in its URL", async () => {
    const answer = await call(operation, { path: withQuery(pathOf(operation), `key=${mine.key}`) });
    expectRefusal(operation, answer, 400, "credential_in_url");
  });
});

describe.for(writes.filter((operation) => !operation.raw))("$operationId", (operation) => {
  test("refuses an unknown field in its body, naming it", async () => {
    const answer = await call(operation, { body: { ...exampleBody(operation), surprise: 1 } });
    expectRefusal(operation, answer, 400, "invalid_request", {
      issues: [{ path: "body.surprise", message: "Unknown field." }],
    });
  });

  test("refuses a body of another type than JSON", async () => {
    const answer = await call(operation, {
      headers: { "content-type": "text/plain" },
      body: exampleBody(operation) ?? {},
    });
    expectRefusal(operation, answer, 415, "unsupported_media_type");
  });
});

describe.for(writes.filter((operation) => operation.idempotent))("$operationId", (operation) => {
  test("refuses a call without an Idempotency-Key", async () => {
    const answer = await call(operation, { idempotencyKey: null });
    expectRefusal(operation, answer, 400, "idempotency_key_required");
  });

  test("refuses an Idempotency-Key of another form", async () => {
    const answer = await call(operation, { idempotencyKey: "no spaces" });
    expectRefusal(operation, answer, 400, "idempotency_key_invalid");
  });
});

/** Creates our own resources for the other path parameters. */
async function othersOf(operation: Operation, param: string): Promise<Record<string, string>> {
  const others = ownedParams(operation).filter((name) => name !== param);
  return Object.fromEntries(
    await Promise.all(others.map(async (name) => [name, await createResource(api, mine.key, name)])),
  );
}

const named = keyed.flatMap((operation) => ownedParams(operation).map((param) => ({ operation, param })));

describe.for(named)("$operation.operationId with another's $param", ({ operation, param }) => {
  test("answers 404, byte for byte as to a missing one but for the request and the id", async () => {
    const ids = await othersOf(operation, param);
    const foreign = await createResource(api, other.key, param);
    const missing = missingId(param);
    const toForeign = await call(operation, { path: pathOf(operation, { ...ids, [param]: foreign }) });
    const toMissing = await call(operation, { path: pathOf(operation, { ...ids, [param]: missing }) });
    expectRefusal(operation, toForeign, 404, "not_found");
    expect(comparable(toForeign, foreign)).toBe(comparable(toMissing, missing));
  });

  test.for(["nonsense", "%00", "..%2f..", "%f0%9f%92%a9", "x".repeat(300)])(
    "answers 404 to the malformed id %s, as to a missing one",
    async (malformed) => {
      const ids = await othersOf(operation, param);
      const missing = missingId(param);
      const toMalformed = await call(operation, { path: pathOf(operation, { ...ids, [param]: malformed }) });
      const toMissing = await call(operation, { path: pathOf(operation, { ...ids, [param]: missing }) });
      expectRefusal(operation, toMalformed, 404, "not_found");
      const sent = JSON.stringify(decodeURIComponent(malformed)).slice(1, -1);
      expect(comparable(toMalformed, sent)).toBe(comparable(toMissing, missing));
    },
  );

  test("reports a fault of the query beside a malformed id, as beside a missing one", async () => {
    const ids = await othersOf(operation, param);
    const answers = [];
    for (const id of ["nonsense", missingId(param)])
      answers.push(
        await call(operation, { path: withQuery(pathOf(operation, { ...ids, [param]: id }), "surprise=1") }),
      );
    for (const answer of answers)
      expectRefusal(operation, answer, 400, "invalid_request", { issues: [{ path: "query.surprise" }] });
  });
});

const pagedPaths = named.filter(({ operation }) => Object.hasOwn(operation.query?.shape ?? {}, "cursor"));

describe.for(pagedPaths)("$operation.operationId with another's $param", ({ operation, param }) => {
  test("answers 404 before it looks whose the cursor is", async () => {
    const foreign = await createResource(api, other.key, param);
    for (const id of [foreign, missingId(param), "nonsense"]) {
      const answer = await call(operation, {
        path: withQuery(pathOf(operation, { [param]: id }), "cursor=q83vEjRWAZ"),
      });
      expectRefusal(operation, answer, 404, "not_found");
    }
  });
});

const lists = keyed.filter(({ output }) => "nextCursor" in output.shape);
const filters = lists.flatMap((operation) =>
  Object.keys(operation.query?.shape ?? {})
    .filter((name) => /^id$|Id$/.test(name))
    .map((filter) => ({ operation, filter, answers: Object.keys(operation.output.shape) })),
);

describe.for(filters)(
  "$operation.operationId by $filter",
  ({ operation, filter, answers: [things = ""] }) => {
    test.for(["nonsense", "key_01jz4w1n9vf5ha3kqcx8y2r7te", "01hzzzzzzzzzzzzzzzzzzzzzzz", "💩"])(
      "lists nothing for %s",
      async (id) => {
        const query = new URLSearchParams({ [filter]: id });
        const answer = await call(operation, { path: withQuery(pathOf(operation), query.toString()) });
        expect(answer.body).toEqual({ ok: true, [things]: [], nextCursor: null });
      },
    );
  },
);

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const paths = [...new Set(operations.map((operation) => operation.path))].map((path) => {
  const allowed = apiOperations.filter((operation) => operation.path === path);
  const open = ["/health", "/pricing"].includes(path) ? ["OPTIONS"] : [];
  const methods = allowed.map((operation) => operation.method as string);
  return { path, methods, refused: METHODS.filter((method) => ![...methods, ...open].includes(method)) };
});

describe.for(paths)("$path", ({ path, methods, refused }) => {
  test.for(refused)("answers 405 to %s, naming the methods that it has", async (method) => {
    const answer = await api.send(method, `/v1${path.replace(/\{\w+\}/g, "x")}`);
    expect(answer.status).toBe(405);
    expect(answer.body.error).toMatchObject({ code: "method_not_allowed", operationState: "not_started" });
    expect(answer.headers.get("allow")).toBe(methods.join(", "));
    expect(answer.headers.get("access-control-allow-origin")).toBe(
      ["/health", "/pricing"].includes(path) ? "*" : null,
    );
  });
});

describe.for(writes.filter(({ body }) => body !== undefined))("$operationId", (operation) => {
  test("reports the faults of query and body together", async () => {
    const answer = await call(operation, {
      path: withQuery(pathOf(operation), "surprise=1"),
      body: { ...exampleBody(operation), surprise: 1 },
    });
    expect(answer.body.error).toMatchObject({ status: 400, code: "invalid_request" });
    expect(answer.body.error.issues).toEqual([
      { path: "query.surprise", message: "Unknown query parameter." },
      { path: "body.surprise", message: "Unknown field." },
    ]);
  });
});

test("answers 404 to a path that is none", async () => {
  const answer = await api.send("GET", "/v1/nothing");
  expect(answer.body.error).toMatchObject({
    code: "not_found",
    status: 404,
    message: "No path /nothing in this API.",
  });
});
