import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defined } from "#server/base/defined.ts";
import { FIRST_CELL, newSecret } from "#server/keys/secrets.ts";
import type { Operation } from "#server/operation/operation.ts";
import { everyApiOperation } from "#server/operations.ts";
import { capabilitiesOf } from "#server/services/capabilities.ts";
import { services } from "#server/services/registry.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { costOf, threadMs } from "#server/testing/cpu.ts";
import { sendRaw } from "#server/testing/raw.ts";
import { pathOf } from "#server/testing/resources.ts";

const MB = 1_048_576;
/** The allowed cost, as a multiple of a legal body's. */
const MAX_COST = 15;
const api = await startApi();
const { key } = await api.createRootKey();
const operations = everyApiOperation.filter((operation) => operation.body);

/** Returns a list of as many entries as fit into so many bytes. */
function list(entry: (nth: number) => string, bytes: number): string {
  const entries: string[] = [];
  for (let nth = 0, left = bytes; ; nth++) {
    const next = entry(nth);
    left -= next.length + 1;
    if (left < 0) return entries.join(",");
    entries.push(next);
  }
}

type FieldKinds = Record<string, (bytes: number) => string>;

/** Values of a field, with their maximum bytes, that the reader of all bodies refuses. */
const READER_KINDS: FieldKinds = {
  "empty objects": (bytes) => `[${list(() => "{}", bytes)}]`,
  "small numbers": (bytes) => `[${list(() => "0", bytes)}]`,
  "short decimals": (bytes) => `[${list(() => "1.0", bytes)}]`,
  "rows of fields": (bytes) => `[${list((nth) => `{"f${nth}":[1]}`, bytes)}]`,
  "deep lists": (bytes) => "[".repeat(bytes / 2) + "]".repeat(bytes / 2),
  "deep objects": (bytes) => `${'{"a":'.repeat(bytes / 6)}1${"}".repeat(bytes / 6)}`,
  "many deep lists": (bytes) => `[${list(() => "[".repeat(50) + "]".repeat(50), bytes)}]`,
};

/** Values that each operation's own schema refuses. */
const SCHEMA_KINDS: FieldKinds = {
  "names that nobody has": (bytes) => `[${list((nth) => `"n${nth}"`, bytes)}]`,
  "malformed addresses": (bytes) => `[${list((nth) => `"0x${nth}"`, bytes)}]`,
  "texts with NUL": (bytes) => `[${list(() => '"\\u0000"', bytes)}]`,
  "long decimals": (bytes) => `[${list(() => "0.1234567890123456789", bytes)}]`,
  fields: (bytes) => `{${list((nth) => `"f${nth}":1`, bytes)}}`,
  "one field again and again": (bytes) => `{${list(() => '"f":1', bytes)}}`,
  "one long number": (bytes) => "9".repeat(bytes),
  "a text like secrets": (bytes) => `"${"svc_live_".repeat(bytes / 9)}"`,
  spaces: (bytes) => `"${" ".repeat(bytes)}"`,
  "dots and dashes": (bytes) => `"a${".-".repeat(bytes / 2)}"`,
  "combining marks": (bytes) => `"a${"\u0301\u0316".repeat(bytes / 4)}"`,
  "a text of escapes": (bytes) => `"${"\\u0061".repeat(bytes / 6)}"`,
};

/** Returns 1 MB of fields that all have the same value. */
function fieldsOf(names: readonly string[], fill: (bytes: number) => string): string {
  const value = fill(Math.floor((MB - 1000) / Math.max(names.length, 1)) - 100);
  return names.map((name) => `"${name}":${value}`).join(",");
}

async function post(operation: Operation, text: string) {
  const started = threadMs();
  const answer = await sendRaw(api.origin + pathOf(operation), {
    method: operation.method,
    headers: [
      ["authorization", `Bearer ${key}`],
      ["idempotency-key", unique("hostile")],
      ["content-type", "application/json"],
    ],
    body: Buffer.from(text),
  });
  return { answer, ms: threadMs() - started };
}

/** Returns the cost of only parsing and writing a legal body of about this size: the unit of all others. */
async function baseline(): Promise<number> {
  const rows = Array.from({ length: 10_000 }, (_, id) => ({
    id,
    name: `name ${id}`,
    quantity: 7,
    price: 12.5,
  }));
  const text = JSON.stringify(rows);
  return (await costOf(() => JSON.stringify(JSON.parse(text)))) * (MB / text.length);
}

const usual = await baseline();

/**
 * Expects a refusal that blocks the event loop no longer than a few legal bodies would, and returns its message; the
 * minimum of twelve attempts counts.
 */
async function expectCheapRefusal(operation: Operation, text: string): Promise<string> {
  let least = Number.POSITIVE_INFINITY;
  let last = "";
  for (let attempt = 0; attempt < 12 && least > MAX_COST; attempt++) {
    const { answer, ms } = await post(operation, text);
    // While other processes use the cores' caches, a legal body costs more too.
    least = Math.min(least, ms / (attempt === 0 ? usual : await baseline()));
    expect([400, 404]).toContain(answer.status);
    expect(JSON.stringify(answer.body).length).toBeLessThan(128 * 1024);
    last = answer.body.error.message;
  }
  expect(least).toBeLessThan(MAX_COST);
  return last;
}

/** Returns a body of 1 MB in which each field of the operation has this value. */
const filled = ({ body }: Operation, fill: (bytes: number) => string) =>
  `{${fieldsOf(Object.keys(body?.shape ?? {}), fill)}}`;

// One operation represents all, because the reader refuses a body before any schema sees it.
test.for(Object.entries(READER_KINDS))(
  "the reader of bodies refuses 1 MB of %s without holding up others",
  async ([, fill]) => {
    const operation = defined(operations[0]);
    expect(await expectCheapRefusal(operation, filled(operation, fill))).toMatch(
      /the most of one body|the most of one object|deeper than/,
    );
  },
);

describe.for(operations)("$operationId", (operation) => {
  test.for(Object.entries(SCHEMA_KINDS))("refuses 1 MB of %s without holding up others", async ([, fill]) => {
    await expectCheapRefusal(operation, filled(operation, fill));
  });
});

const invoke = defined(operations.find(({ operationId }) => operationId === "services.invoke"));
const inputs = services()
  .filter(({ id }) => ["managed-memory", "managed-workflows", "managed-agents"].includes(id))
  .flatMap(({ id: serviceId, ...service }) =>
    capabilitiesOf({ id: serviceId, ...service }).map(({ id, input }) => ({ serviceId, id, input })),
  );

describe.for(inputs)("the input of $serviceId $id", ({ serviceId, id, input }) => {
  const names = input instanceof z.ZodObject ? Object.keys(input.shape) : ["value"];
  test.for(Object.entries(SCHEMA_KINDS))("is refused with 1 MB of %s", async ([, fill]) => {
    const text = `{"serviceId":"${serviceId}","operationId":"${id}","input":{${fieldsOf(names, fill)}}}`;
    await expectCheapRefusal(invoke, text);
  });
});

test("takes the largest lists that the contract has", async () => {
  const query = defined(operations.find(({ operationId }) => operationId === "databases.query"));
  const actions = defined(operations.find(({ operationId }) => operationId === "databases.actions"));
  const params = await post(query, `{"sql":"select 1","params":[${list(() => "1.0", 65_000 * 4)}]}`);
  const row = `{${"abcdefghijklmn".split("").map((name) => `"${name}":1`)}}`;
  const rows = `[${Array.from({ length: 10_000 }, () => row)}]`;
  const bulk = await post(actions, `{"actions":[{"type":"rows.insert","table":"t","rows":${rows}}]}`);
  // No database exists here that would accept them.
  expect([params.answer.status, bulk.answer.status]).toEqual([503, 503]);
});

const createKey = defined(operations.find(({ operationId }) => operationId === "apiKeys.create"));
const issuesOf = async (text: string) => (await post(createKey, text)).answer.body.error.issues;

test("names where a body passes a bound, the bound and the way out", async () => {
  const limits = (await api.send("GET", "/v1/pricing")).body.pricing.limits.requests;
  expect(limits).toEqual({
    maximumJsonBytes: MB,
    maximumJsonValues: 200_000,
    maximumJsonFields: 10_000,
    maximumJsonDepth: 64,
  });
  expect(await issuesOf(`{"scopes":[${"0,".repeat(300_000)}0]}`)).toEqual([
    {
      path: "body.scopes.199998",
      message: "Here the body passes 200000 values, the most of one body. Send them in several calls.",
    },
  ]);
  const names = Array.from({ length: 10_001 }, (_, nth) => `"f${nth}":1`);
  expect(await issuesOf(`{"limits":{${names}}}`)).toEqual([
    {
      path: "body.limits",
      message: "Has more than 10000 fields, the most of one object. Send fewer.",
    },
  ]);
  expect(await issuesOf(`{"label":${"[".repeat(64)}${"]".repeat(64)}}`)).toEqual([
    {
      path: `body.label${".0".repeat(63)}`,
      message: "Nested deeper than 64 levels. Send it flatter, or as text.",
    },
  ]);
});

test("reports every fault of a body, and of a large one the first", async () => {
  const faulty = (count: number) =>
    `{"label":"L","scopes":[],"excludedServices":[${list(() => "{}", count * 3)}]}`;
  const some = await issuesOf(faulty(90));
  expect(some).toHaveLength(90);
  expect(some[89]).toEqual({ path: "body.excludedServices.89", message: "Send a string, not an object." });
  const { error } = (await post(createKey, faulty(900))).answer.body;
  expect(error.issues).toHaveLength(100);
  expect(error.message).toMatch(/ \(and 899 more\)$/);
  const large = `{"label":"L","scopes":[],"excludedOperations":[${list(() => "{}", 5000 * 3)}]}`;
  expect(await issuesOf(large)).toEqual([
    {
      path: "body.excludedOperations.0",
      message:
        "Send a string, not an object. There may be more faults: of an input of over 5000 values only the first is named.",
    },
  ]);
});

test("keeps a refusal short whatever the faulty fields' names", async () => {
  const name = "n".repeat(500_000);
  const faults = Array.from({ length: 200 }, (_, nth) => `"f${nth}":"\\u0000"`);
  const { answer } = await post(createKey, `{"label":"L","scopes":[],"limits":{"${name}":{${faults}}}}`);
  expect(answer.body.error.issues).toHaveLength(100);
  expect(answer.body.error.issues[0].path).toHaveLength(300);
});

/** Sends a request that will be refused, with these headers. */
async function sendAs(headers: [string, string][], path: string, text: string, status: number) {
  const answer = await sendRaw(api.origin + path, {
    method: "POST",
    headers: [["idempotency-key", unique("hostile")], ["content-type", "application/json"], ...headers],
    body: Buffer.from(text),
  });
  expect(answer.status).toBe(status);
}

const dear = `{"serviceId":"managed-memory","operationId":"put","input":[${list((nth) => `"n${nth}"`, MB - 100)}]}`;

test.for(["/v1/services/managed-memory/invoke", "/v1/runs", "/v1/approvals/service-actions", "/mcp"])(
  "parses no large body at %s for callers that nobody knows",
  async (path) => {
    const parsing = await costOf(() => JSON.parse(dear));
    expect(await costOf(() => sendAs([], path, dear, 401))).toBeLessThan(parsing);
    const made: [string, string][] = [["authorization", `Bearer ${newSecret("svc_live_", FIRST_CELL)}`]];
    expect(await costOf(() => sendAs(made, path, dear, 401))).toBeLessThan(parsing);
  },
);

test("parses no large form that somebody sends to sign in", async () => {
  const path = "/api/auth/callback/credentials";
  const type: [string, string][] = [["content-type", "application/x-www-form-urlencoded"]];
  expect(await costOf(() => sendAs(type, path, "a&".repeat(MB / 2), 400))).toBeLessThan(MAX_COST * usual);
});
