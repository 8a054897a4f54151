import fc from "fast-check";
import { defined } from "#server/base/defined.ts";
import type { Examples } from "#server/transports/openapi/example.ts";
import { createValues, hostile, idToken, nearly, type Schema, type Schemas } from "./values.ts";

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  schema: Schema;
}

interface DocumentedOperation {
  operationId: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: Schema; examples?: Examples }> };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>;
  /** The error codes that the operation declares. */
  "x-error-codes": string[];
}

/** The part of the OpenAPI document from which requests are generated. */
export interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: {
    schemas: Schemas;
    parameters: Record<string, Parameter>;
  };
}

/** A request before it is sent: its ids are tokens, see `idToken`. */
export interface FuzzRequest {
  /** By `mcp`, a tool executes the operation with `input`. */
  surface: "api" | "mcp";
  operationId: string;
  method: string;
  /** The document's path, with parameters in braces. */
  route: string;
  /** The path with its query, percent-encoded except for tokens. */
  target: string;
  caller: Caller;
  headers: Record<string, string>;
  /** JSON, or bytes in latin1; null if there is no body. */
  body: string | null;
  /** All fields as one JSON object, as a tool takes them. */
  input: string;
}

/**
 * The caller's key: the account's own, a narrower child of it, a revoked one, a child of that, an expired one, or none.
 */
export type Caller = "root" | "child" | "revoked" | "below" | "expired" | "nobody";

/** Like `encodeURIComponent`, but does not throw for malformed text. */
const encode = (value: unknown) =>
  encodeURIComponent((typeof value === "string" ? value : JSON.stringify(value)).toWellFormed());

const callers: fc.Arbitrary<Caller> = fc.oneof(
  { weight: 40, arbitrary: fc.constant<Caller>("root") },
  { weight: 4, arbitrary: fc.constant<Caller>("child") },
  { weight: 4, arbitrary: fc.constantFrom<Caller>("revoked", "below", "expired", "nobody") },
);

const selections = fc.record(
  {
    "x-service-project": fc.constantFrom(
      idToken("proj", "own", 0),
      idToken("proj", "foreign", 0),
      idToken("proj", "missing", 0),
      "proj_x",
    ),
    "x-service-end-user": fc.constantFrom("user-1", "user-2", "", "a b", "x".repeat(300)),
  },
  { requiredKeys: [] },
);

/** New keys, keys that other calls have used, none, and malformed ones. */
const idempotencyKeys = fc.oneof(
  { weight: 30, arbitrary: fc.uuid() },
  { weight: 1, arbitrary: fc.constantFrom("again-and-again-1", "again-and-again-2") },
  { weight: 1, arbitrary: fc.constantFrom("", "short", "with space here", "x".repeat(300)) },
);

/**
 * Generates requests to all operations of the document, or to these: most are valid, others nearly valid or hostile.
 */
export function requestsTo(document: Document, only?: readonly string[]): fc.Arbitrary<FuzzRequest> {
  const valuesOf = createValues(document.components.schemas);

  /** Generates mostly values that the schema allows, and sometimes nearly valid or hostile ones. */
  const mostly = (schema: Schema) => {
    const valid = valuesOf(schema);
    return fc.oneof(
      { weight: 8, arbitrary: valid },
      { weight: 4, arbitrary: nearly(valid) },
      { weight: 1, arbitrary: hostile },
    );
  };

  function bodies(operation: DocumentedOperation): fc.Arbitrary<{ type: string; body: string } | null> {
    const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
    if (!type || !media) return fc.constant(null);
    // Consistent examples reach further than fields that are valid individually.
    const example = fc.nat(1000).map((pick) => withTokens(media.examples?.default.value ?? {}, pick));
    const values = fc.oneof(
      { weight: 2, arbitrary: example },
      { weight: 2, arbitrary: nearly(example) },
      { weight: 1, arbitrary: mostly(media.schema) },
    );
    const text =
      type === "application/json"
        ? values.map((value) => JSON.stringify(value))
        : fc.string({ unit: "binary", maxLength: 200 });
    return fc.oneof(
      { weight: 20, arbitrary: text.map((body) => ({ type, body })) },
      { weight: 1, arbitrary: fc.constant({ type, body: '{"a":1,"a":' }) },
      { weight: 1, arbitrary: text.map((body) => ({ type: "text/plain", body })) },
    );
  }

  function requestTo(
    route: string,
    method: string,
    operation: DocumentedOperation,
  ): fc.Arbitrary<FuzzRequest> {
    const parameters = (operation.parameters ?? []).map((parameter) =>
      "$ref" in parameter
        ? defined(document.components.parameters[defined(parameter.$ref.split("/").at(-1))])
        : parameter,
    );
    const inPath = parameters.filter((parameter) => parameter.in === "path");
    const inQuery = parameters.filter((parameter) => parameter.in === "query");
    const inHeader = parameters.filter(
      ({ in: place, name }) =>
        place === "header" && !/^(x-service-(project|end-user)|idempotency-key)$/i.test(name),
    );
    const path = fc.record(
      Object.fromEntries(
        inPath.map(({ name, schema }) => [
          name,
          fc.oneof({ weight: 15, arbitrary: valuesOf(schema) }, { weight: 1, arbitrary: hostile }),
        ]),
      ),
    );
    const query = fc.record(Object.fromEntries(inQuery.map(({ name, schema }) => [name, mostly(schema)])), {
      requiredKeys: inQuery.filter(({ required }) => required).map(({ name }) => name),
    });
    const headers = fc.record(
      Object.fromEntries(inHeader.map(({ name, schema }) => [name.toLowerCase(), valuesOf(schema)])),
      { requiredKeys: inHeader.filter(({ required }) => required).map(({ name }) => name.toLowerCase()) },
    );
    return fc
      .record({
        path,
        surface: fc.constantFrom("api" as const, "api" as const, "mcp" as const),
        query: fc.oneof({ weight: 2, arbitrary: query }, { weight: 1, arbitrary: fc.constant({}) }),
        headers,
        selection: fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: selections }),
        caller: callers,
        idempotencyKey: fc.option(idempotencyKeys, { freq: 20 }),
        body: bodies(operation),
      })
      .map((parts) => {
        const search = Object.entries(parts.query)
          .map(([name, value]) => `${name}=${tokensKept(encode(value))}`)
          .join("&");
        const filled = route.replace(/\{(\w+)\}/g, (_, name: string) =>
          tokensKept(encode((parts.path as Record<string, unknown>)[name])),
        );
        return {
          surface: parts.surface,
          operationId: operation.operationId,
          method: method.toUpperCase(),
          route,
          target: `/v1${filled}${search && `?${search}`}`,
          caller: parts.caller,
          headers: {
            ...Object.fromEntries(
              Object.entries(parts.headers).map(([name, value]) => [name, String(value)]),
            ),
            ...parts.selection,
            ...(parts.body && { "content-type": parts.body.type.replace("*/*", "application/octet-stream") }),
            ...(method !== "get" &&
              parts.idempotencyKey !== null && { "idempotency-key": parts.idempotencyKey }),
          } as Record<string, string>,
          body: parts.body?.body ?? null,
          input: JSON.stringify({ ...parts.path, ...parts.query, ...fieldsOf(parts.body) }),
        };
      });
  }

  const operations = Object.entries(document.paths).flatMap(([route, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => !only || only.includes(operationId))
      .map(([method, operation]) => requestTo(route, method, operation)),
  );
  return fc.oneof(...operations);
}

/** Returns the fields of a body that is a JSON object. */
function fieldsOf(sent: { type: string; body: string } | null): object {
  if (sent?.type !== "application/json") return {};
  try {
    const value: unknown = JSON.parse(sent.body);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

/** Returns the example with tokens instead of ids. */
function withTokens(example: unknown, pick: number): unknown {
  const text = JSON.stringify(example).replace(EXAMPLE_ID, (_, prefix: string) =>
    idToken(prefix, "own", pick),
  );
  return JSON.parse(text);
}

const EXAMPLE_ID = /\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;
const TOKEN = /⟦(\w+) (own|foreign|missing) (\d+)⟧/g;
const ENCODED_TOKEN = new RegExp(
  `${encodeURIComponent("⟦")}(\\w+)%20(own|foreign|missing)%20(\\d+)${encodeURIComponent("⟧")}`,
  "g",
);

const tokensKept = (encoded: string) =>
  encoded.replace(ENCODED_TOKEN, (_, prefix, owner, pick) => idToken(prefix, owner, Number(pick)));

/** Returns the text with each token replaced by its id. */
export function resolveTokens(
  text: string,
  idOf: (prefix: string, owner: string, pick: number) => string,
): string {
  return text.replace(TOKEN, (_, prefix: string, owner: string, pick: string) =>
    idOf(prefix, owner, Number(pick)),
  );
}
