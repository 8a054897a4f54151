import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { defined } from "#server/base/defined.ts";
import { ERRORS } from "#server/operation/errors.ts";
import { isJsonSchema, type JsonSchema } from "#server/operation/json-schema.ts";
import type { Operation } from "#server/operation/operation.ts";
import { apiOperations, everyApiOperation, everyOperation, operations } from "#server/operations.ts";
import { openApiDocument } from "#server/transports/openapi/document.ts";
import { type Examples, exampleOf } from "#server/transports/openapi/example.ts";
import { collectSchemas } from "#server/transports/openapi/schemas.ts";

const VERBS =
  /^(Add|Apply|Approve|Archive|Buy|Cancel|Change|Check|Complete|Create|Decide|Delete|Deprovision|Disable|Download|End|Execute|Follow|Forget|Invite|Invoke|List|Prepare|Provision|Query|Quote|Read|Recover|Remove|Rename|Replay|Restore|Retry|Revoke|Rotate|Run|Send|Sign|Start|Transfer|Update|Upload)\b/;
/** Reads whose input does not fit into a query string. */
const READ_BY_POST = [
  "apps.devices.read",
  "databases.query",
  "runs.steps.test",
  "swaps.prepare",
  "wallets.policy.simulate",
  "webhooks.signature.check",
];
const DAY = 86_400_000;

const schemas = collectSchemas(operations);
const components = schemas.components();

/** Yields all nested schemas with their paths. */
function* within(
  schema: JsonSchema,
  path: string,
  seen = new Set<string>(),
): Generator<[string, JsonSchema]> {
  if (typeof schema.$ref === "string") {
    const id = schema.$ref.replace("#/components/schemas/", "");
    if (!seen.has(id)) yield* within(defined(components[id]), id, seen.add(id));
    return;
  }
  yield [path, schema];
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    yield* within(property, `${path}.${name}`, seen);
  const inner = [
    schema.items,
    schema.additionalProperties,
    ...["anyOf", "oneOf", "allOf"].flatMap((key) => schema[key] ?? []),
  ];
  for (const part of inner) if (isJsonSchema(part)) yield* within(part, `${path}[]`, seen);
}

/** True if the schema, or one that it is composed of, has a description. */
function isDescribed(schema: JsonSchema): boolean {
  if (typeof schema.description === "string") return true;
  if (typeof schema.$ref === "string")
    return isDescribed(defined(components[schema.$ref.replace("#/components/schemas/", "")]));
  return [schema.items ?? [], schema.anyOf ?? schema.oneOf ?? []].flat().some(isDescribed);
}

function undescribed(schema: z.ZodType, io: "input" | "output"): string[] {
  return [...within(schemas.convert(schema, io), "")].flatMap(([path, { properties = {} }]) =>
    Object.entries(properties)
      .filter(([, property]) => !isDescribed(property))
      .map(([name]) => `${path}.${name}`),
  );
}

const inputsOf = ({ params, query, body, raw }: Operation) =>
  [params, query, body, raw?.headers].filter((schema) => schema !== undefined);

test("every operation has an operationId of its own", () => {
  const ids = operations.map((operation) => operation.operationId);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test("every operation has a method and path of its own", () => {
  const places = operations.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, "{}")}`);
  expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([]);
});

test("a deprecated operation remains at least 30 days, and another operation replaces it", () => {
  const deprecated = everyOperation.flatMap(({ deprecation }) => deprecation ?? []);
  for (const { since, sunset, successor } of deprecated) {
    expect(Date.parse(sunset) - Date.parse(since)).toBeGreaterThanOrEqual(30 * DAY);
    expect(operations.map((operation) => operation.operationId)).toContain(successor);
  }
});

describe.for(everyOperation)("$operationId", (operation) => {
  test("has an imperative summary of at most 60 characters without a full stop", () => {
    expect(operation.summary).toMatch(VERBS);
    expect(operation.summary).toMatch(/^.{1,59}[^.]$/);
  });

  test("describes every field of its input and output", () => {
    expect(inputsOf(operation).flatMap((schema) => undescribed(schema, "input"))).toEqual([]);
    expect(undescribed(operation.output, "output")).toEqual([]);
  });

  test("reads by GET, and needs an idempotency key for everything else", () => {
    expect(operation.idempotent).toBe(operation.method !== "GET" && !READ_BY_POST.includes(operation.id));
    expect(operation.method === "GET" ? (operation.body ?? operation.raw) : undefined).toBeUndefined();
  });

  test("accepts raw bytes without an open transaction, and returns them only from reads", () => {
    expect(operation.raw !== undefined && (operation.body !== undefined || !operation.external)).toBe(false);
    expect(operation.bytes !== undefined && operation.idempotent).toBe(false);
  });

  test("declares the parameters of its path", () => {
    const named = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(operation.params?.shape ?? {})).toEqual(named);
  });

  test("has each input field in one place only, so that they can be merged", () => {
    const names = inputsOf(operation).flatMap((schema) => Object.keys(schema.shape));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test("answers an object beside ok and error", () => {
    expect(operation.output.type).toBe("object");
    expect(Object.keys(operation.output.shape)).not.toContain("ok");
    expect(Object.keys(operation.output.shape)).not.toContain("error");
  });

  test("declares known error codes, each once", () => {
    const codes = operation.errors ?? [];
    expect(codes.filter((code) => !Object.hasOwn(ERRORS, code))).toEqual([]);
    expect(new Set(codes).size).toBe(codes.length);
  });

  test("refuses unknown fields at every depth of its body", () => {
    const body = operation.body ? [...within(schemas.convert(operation.body.strict(), "input"), "body")] : [];
    const open = body.filter(([, schema]) => schema.properties && schema.additionalProperties !== false);
    expect(open.map(([path]) => path)).toEqual([]);
  });
});

describe.for(everyApiOperation)("$operationId", (operation) => {
  test("gives examples that are valid and not made up", () => {
    const { body, query, output, examples } = operation;
    const input = body && (examples?.body ?? exampleOf(schemas.convert(body.strict(), "input"), components));
    body?.strict().parse(input);
    query?.strict().parse(examples?.query ?? {});
    const answer = examples?.output ?? exampleOf(schemas.convert(output, "output"), components);
    output.parse(answer);
    expect([...madeUp(input, "body"), ...madeUp(answer, "output")]).toEqual([]);
  });
});

/** Returns texts that only repeat their field's name: such a schema needs an example, by `.meta({ examples: […] })`. */
function madeUp(value: unknown, path: string): string[] {
  if (typeof value === "string") return path.split(".").at(-1) === value ? [path] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) =>
    madeUp(child, Array.isArray(value) ? path : `${path}.${name}`),
  );
}

test("the document's examples of parameters are not made up", () => {
  const document = openApiDocument(apiOperations, "");
  const parameters = Object.values(document.paths).flatMap((item) =>
    Object.values(item).flatMap((operation) => (operation as { parameters: JsonSchema[] }).parameters),
  );
  const exampleOfParameter = ({ examples }: JsonSchema) => (examples as Examples | undefined)?.default.value;
  expect(
    parameters.filter(
      (parameter) => parameter.name !== undefined && parameter.name === exampleOfParameter(parameter),
    ),
  ).toEqual([]);
});

test("operations that move money replay their response for 30 days", () => {
  const spends = ["wallets:transact", "wallets:sign", "trading:execute", "credits:write"];
  const acts = apiOperations.filter(
    ({ id, scope, idempotent }) => idempotent && spends.includes(scope ?? "") && !/quote/.test(id),
  );
  expect(acts.filter(({ movesMoney }) => !movesMoney).map(({ id }) => id)).toEqual([]);
  expect(acts.length).toBe(6);
});
