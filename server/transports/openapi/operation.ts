import type { z } from "zod";
import { defined } from "#server/base/defined.ts";
import { resourceOf } from "#server/catalogue/resources.ts";
import { selectorPatterns } from "#server/operation/access.ts";
import { ERRORS, type ErrorCode } from "#server/operation/errors.ts";
import type { JsonSchema } from "#server/operation/json-schema.ts";
import { type Operation, scopeOf } from "#server/operation/operation.ts";
import { errorsOf } from "#server/operation/operation-errors.ts";
import { PAGE_FIELDS } from "#server/operation/page.ts";
import { binary, byteResponses, rawBodyOf, rawParameters } from "./bytes.ts";
import { byStatus, describeCodes, errorExample, errorRanges } from "./errors.ts";
import { exampleIn, exampleOf, fieldsOf } from "./example.ts";
import { byteHeaders, errorHeaders, headerParameters, successHeaders } from "./headers.ts";
import { operationName, pascal } from "./names.ts";
import { PREFIX, refer } from "./nested.ts";
import type { Json } from "./schemas.ts";
import type { Sources } from "./sources.ts";
import { eventStream, streamResponses } from "./stream.ts";

/** Returns the document's entry for an operation. */
export function describeOperation(operation: Operation, sources: Sources): Json {
  const codes = errorsOf(operation);
  return {
    operationId: operation.operationId,
    tags: [resourceOf(operation).name],
    summary: operation.summary,
    description: descriptionOf(operation),
    ...(operation.deprecation && { deprecated: true, "x-sunset": operation.deprecation.sunset }),
    parameters: [
      ...fieldParameters(operation, "path", sources),
      ...fieldParameters(operation, "query", sources),
      ...headerParameters(operation),
      ...(operation.raw ? rawParameters(operation.raw, sources) : []),
    ],
    ...(operation.body && { requestBody: requestBodyOf(operation, sources) }),
    ...(operation.raw && { requestBody: rawBodyOf(operation.raw) }),
    responses: {
      ...Object.fromEntries(
        Object.entries({
          [operation.status]: operation.stream ? "A stream of events." : SUCCESS[operation.status],
          ...operation.otherStatuses,
        }).map(([status, description]) => [status, { description, ...successOf(operation, sources) }]),
      ),
      ...(operation.bytes && byteResponses(operation)),
      ...(operation.stream && streamResponses(operation)),
      ...errorsIn(operation, codes, sources),
    },
    security: securityOf(operation),
    ...(scopeOf(operation) && { "x-scope": scopeOf(operation) }),
    "x-limit-operations": selectorPatterns(operation),
    "x-error-codes": codes,
  };
}

/** Returns one paragraph: generators copy each break between paragraphs into two more lines of a comment. */
function descriptionOf({ summary, description, scope, deprecation }: Operation): string {
  return [
    description ?? `${summary}.`,
    needsOf(scope),
    ...(deprecation
      ? [`Stops on ${deprecation.sunset}; use \`${deprecation.successor}\`. ${deprecation.note}`]
      : []),
  ].join(" ");
}

function needsOf(scope: Operation["scope"]): string {
  if (scope === null) return "Needs no key.";
  return scope === "any"
    ? "Every active key may call it, whatever its scopes and boundaries."
    : `Needs the scope \`${scope}\`.`;
}

function securityOf({ scope, creditToken }: Operation): Json[] {
  if (scope === null) return [];
  return [{ bearer: scope === "any" ? [] : [scope] }, ...(creditToken ? [{ creditToken: [] }] : [])];
}

function fieldParameters(operation: Operation, where: "path" | "query", sources: Sources): Json[] {
  const fields = where === "path" ? operation.params : operation.query;
  if (!fields) return [];
  const { properties = {}, required = [] } = sources.schemas.convert(fields, "input");
  return Object.entries(properties).map(([name, property]) => {
    // Parameters don't repeat the description of a shared schema: generators copy it to each operation that takes them.
    const { description, ...schema } = sources.named.within(
      property,
      `${operationName(operation)}${pascal(name)}`,
    );
    return {
      name,
      in: where,
      required: where === "path" || required.includes(name),
      ...(description !== undefined && { description }),
      schema,
      ...exampleIn(
        (where === "query" && operation.examples?.query?.[name]) ||
          exampleOf(property, sources.components, name),
      ),
    };
  });
}

function requestBodyOf(operation: Operation, { schemas, components, named }: Sources): Json {
  const { body, examples } = operation;
  if (!body) return {};
  const schema = schemas.convert(body.strict(), "input");
  return {
    required: !body.safeParse({}).success,
    content: {
      "application/json": {
        schema: named.name(operationName(operation), schema),
        ...exampleIn(examples?.body ?? exampleOf(schema, components)),
      },
    },
  };
}

/** Empty where the status says it all, since generators copy it to each operation. */
const SUCCESS = { 200: "", 201: "", 202: "Accepted; the work continues after this response." };

/** Returns the schema of the success envelope: `ok` and the output's fields. */
function successOf(operation: Operation, sources: Sources): Json {
  if (operation.stream)
    return { headers: successHeaders(operation), content: eventStream(operation, operation.stream, sources) };
  const { schemas, components, named } = sources;
  const output = schemas.convert(operation.output, "output");
  const schema = {
    ...output,
    properties: {
      ok: { type: "boolean", const: true },
      ...output.properties,
    },
    required: ["ok", ...(output.required ?? [])],
  };
  const value = operation.examples?.output ?? exampleOf(output, components);
  return {
    headers: operation.bytes ? byteHeaders(operation, false) : successHeaders(operation),
    content:
      operation.bytes?.when === "always"
        ? binary(operation.bytes)
        : {
            ...(operation.bytes && binary(operation.bytes)),
            "application/json": {
              schema: named.name(answerName(operation, output), schema),
              ...exampleIn({ ok: true, ...fieldsOf(value) }),
            },
          },
  };
}

/** Returns the response's type name: after its single resource or list, else after the operation. */
function answerName(operation: Operation, { properties = {} }: JsonSchema): string {
  const pageFields = properties.nextCursor ? PAGE_FIELDS : [];
  const fields = Object.entries(properties).filter(([name]) => !pageFields.includes(name));
  const [, only = {}] = fields.length === 1 ? (fields[0] ?? []) : [];
  const { $ref = only.items?.$ref } = only;
  if (typeof $ref !== "string") return `${operationName(operation)}Response`;
  return `${$ref.slice(PREFIX.length)}${only.items ? "List" : "Response"}`;
}

/** Returns the error responses: ranges of statuses, and each status whose body has fields beside `error`. */
function errorsIn(operation: Operation, codes: ErrorCode[], sources: Sources): Json {
  const { errorFields = {} } = operation;
  const own = byStatus(codes).flatMap(([status, group]) => {
    const fields = errorFields[status];
    return fields ? [[status, errorOf(operation, status, group, fields, sources)]] : [];
  });
  return {
    ...Object.fromEntries(own),
    ...errorRanges(codes.filter((code) => !errorFields[ERRORS[code].status])),
  };
}

function errorOf(
  operation: Operation,
  status: number,
  codes: ErrorCode[],
  fields: z.ZodObject,
  sources: Sources,
): Json {
  const beside = sources.schemas.convert(fields, "output");
  const name = `${operationName(operation)}Failure`;
  return {
    description: describeCodes(codes),
    headers: errorHeaders(status, operation),
    content: {
      "application/json": {
        schema: sources.named.name(name, { allOf: [refer("Failure"), sources.named.within(beside, name)] }),
        ...exampleIn({
          ...errorExample(defined(codes[0]), sources.baseUrl),
          ...fieldsOf(exampleOf(beside, sources.components)),
        }),
      },
    },
  };
}
