import { resourceOf } from "#server/catalogue/resources.ts";
import { errorsOf, selectorPatterns } from "#server/operation/answerable.ts";
import type { ErrorCode } from "#server/operation/errors.ts";
import type { Operation } from "#server/operation/operation.ts";
import { binary, byteResponses, rawBodyOf, rawParameters } from "./bytes.ts";
import { byStatus, describeCodes, errorExample, errorSchemaName, responseName } from "./errors.ts";
import { exampleOf } from "./example.ts";
import { byteHeaders, errorHeaders, headerParameters, successHeaders } from "./headers.ts";
import type { collectSchemas, Json } from "./schemas.ts";

export interface Sources {
  schemas: ReturnType<typeof collectSchemas>;
  components: Record<string, Json>;
  baseUrl: string;
}

/** An operation as the document has it. */
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
        Object.entries({ [operation.status]: SUCCESS[operation.status], ...operation.otherStatuses }).map(
          ([status, description]) => [status, { description, ...successOf(operation, sources) }],
        ),
      ),
      ...(operation.bytes && byteResponses(operation)),
      ...Object.fromEntries(
        byStatus(codes).map(([status, group]) => [status, errorOf(operation, status, group, sources)]),
      ),
    },
    security: securityOf(operation),
    ...(operation.scope && { "x-scope": operation.scope }),
    "x-limit-operations": selectorPatterns(operation),
    "x-error-codes": codes,
  };
}

function descriptionOf({ summary, description, scope, deprecation }: Operation): string {
  return [
    description ?? `${summary}.`,
    scope ? `Needs the scope \`${scope}\`.` : "Needs no key.",
    ...(deprecation
      ? [`Stops on ${deprecation.sunset}; use \`${deprecation.successor}\`. ${deprecation.note}`]
      : []),
  ].join("\n\n");
}

function securityOf({ scope, creditToken }: Operation): Json[] {
  if (scope === null) return [];
  return [{ bearer: [scope] }, ...(creditToken ? [{ creditToken: [] }] : [])];
}

function fieldParameters(operation: Operation, where: "path" | "query", sources: Sources): Json[] {
  const fields = where === "path" ? operation.params : operation.query;
  if (!fields) return [];
  const { properties = {}, required = [] } = sources.schemas.convert(fields, "input");
  return Object.entries(properties as Record<string, Json>).map(([name, { description, ...schema }]) => ({
    name,
    in: where,
    required: where === "path" || (required as string[]).includes(name),
    description,
    schema,
    example:
      (where === "query" && operation.examples?.query?.[name]) || exampleOf(schema, sources.components, name),
  }));
}

function requestBodyOf({ body, examples }: Operation, { schemas, components }: Sources): Json {
  if (!body) return {};
  const schema = schemas.convert(body.strict(), "input");
  return {
    required: !body.safeParse({}).success,
    content: {
      "application/json": { schema, example: examples?.body ?? exampleOf(schema, components) },
    },
  };
}

const SUCCESS = { 200: "Done.", 201: "Created.", 202: "Accepted; work goes on after this answer." };

/** The success envelope: `ok` and the output's fields. */
function successOf(operation: Operation, { schemas, components }: Sources): Json {
  const output = schemas.convert(operation.output, "output");
  const schema = {
    ...output,
    properties: {
      ok: { type: "boolean", const: true, description: "True on every success." },
      ...(output.properties as Json),
    },
    required: ["ok", ...((output.required as string[]) ?? [])],
  };
  const value = operation.examples?.output ?? exampleOf(output, components);
  return {
    headers: operation.bytes ? byteHeaders(operation, false) : successHeaders(operation),
    content:
      operation.bytes?.when === "always"
        ? binary(operation.bytes)
        : {
            ...(operation.bytes && binary(operation.bytes)),
            "application/json": { schema, example: { ok: true, ...(value as Json) } },
          },
  };
}

function errorOf(operation: Operation, status: number, codes: ErrorCode[], sources: Sources): Json {
  const fields = operation.errorFields?.[status];
  const description = describeCodes(codes);
  if (!fields) return { $ref: `#/components/responses/${responseName(status)}`, description };
  const beside = sources.schemas.convert(fields, "output");
  const [code] = codes as [ErrorCode];
  return {
    description,
    headers: errorHeaders(status, operation),
    content: {
      "application/json": {
        schema: { allOf: [{ $ref: `#/components/schemas/${errorSchemaName(status)}` }, beside] },
        example: {
          ...errorExample(code, sources.baseUrl),
          ...(exampleOf(beside, sources.components) as Json),
        },
      },
    },
  };
}
