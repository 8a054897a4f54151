import type { z } from "zod";
import { defined } from "#server/base/defined.ts";
import { jsonSchemaOf } from "#server/operation/json-schema.ts";
import { PAGE_FIELDS } from "#server/operation/page.ts";
import { ownServices } from "#server/services/own-services.ts";
import { comment, declarationOf, referred, type Schema, typeOf } from "./typescript-types.ts";

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Content {
  content: Record<string, { schema: Schema }>;
}

export interface Described {
  operationId: string;
  summary: string;
  parameters: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content>;
  security: unknown[];
  deprecated?: boolean;
}

/** The parts of the OpenAPI document from which the SDK is generated. */
export interface Document {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

/** The data about an operation that the SDK needs to call it. */
interface Entry {
  method: string;
  path: string;
  query?: string[];
  /** True if it takes a JSON body. */
  body?: true;
  /** Headers by the fields of the input; the body is then bytes. */
  upload?: Record<string, string>;
  download?: true;
  /** True if its response is a stream of events. */
  stream?: true;
  idempotent?: true;
  /** The single field of its responses, which callers get. */
  field?: string;
  /** True if that field is a page. */
  pages?: true;
}

export const NOTE = "// Written by `npm run openapi`; edit the platform's schemas instead.\n\n";
/** Types that are written by hand in the SDK. */
const BY_HAND: Record<string, string> = {
  "services.invoke": "Invoke",
  "runs.create": "CreateRunCall",
  "runs.follow": "FollowRun",
  "events.follow": "FollowEvents",
};
const UPLOAD_FIELDS: Record<string, string> = {
  "X-File-Name": "name",
  "X-Content-Sha256": "sha256",
  "X-Service-File-Purpose": "purpose",
};

/** Returns the generated files of the TypeScript SDK, by name. */
export function generateSdk(document: Document): Record<string, string> {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { operationId }]) => operationId !== "openapi.read")
      .map(([method, described]) => ({ ...described, method: method.toUpperCase(), path })),
  );
  const entries = operations.map(
    (operation) => [operation.operationId, entryOf(operation, document)] as const,
  );
  const lines = entries.map(([id, entry]) => `  ${JSON.stringify(id)}: ${JSON.stringify(entry)},\n`);
  const services = servicesOf();
  return {
    "types.ts": `${NOTE}${typesOf(document, services.types)}`,
    "operations.ts": `${NOTE}import type { Operation } from "../call.ts";\n\nexport const OPERATIONS: Record<string, Operation> = {\n${lines.join("")}};\n`,
    "api.ts": `${NOTE}import type { Call, CallOptions, List } from "../call.ts";\nimport type { Download } from "../download.ts";\nimport type { CreateRunCall, Invoke } from "../services.ts";\nimport type { FollowEvents } from "../events.ts";\nimport type { FollowRun } from "../runs.ts";\nimport type { Source } from "../upload.ts";\nimport type * as types from "./types.ts";\n\n${apiOf(operations, entries, document)}`,
    "services.ts": `${NOTE}import type { ${services.types
      .filter(([name]) => new RegExp(`\\b${name}\\b`).test(services.text))
      .map(([name]) => name)
      .join(", ")} } from "./types.ts";\n\n${services.text}`,
  };
}

function entryOf(operation: Described & { method: string; path: string }, document: Document): Entry {
  const { method, path, requestBody } = operation;
  const parameters = parametersOf(operation, document);
  const query = parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
  const json = requestBody?.content["application/json"];
  const uploads = parameters.filter(({ name }) => name in UPLOAD_FIELDS && requestBody);
  const { schema } = answerOf(operation) ?? {};
  const fields = schema ? fieldNames(resolve(schema, document)) : [];
  const beside = fieldsBesidePage(fields);
  // `debounced` describes the call; callers continue with the run.
  const single = beside.filter((name) => beside.length === 1 || name !== "debounced");
  const pages = fields.includes("nextCursor") && single.length === 1;
  return {
    method,
    path,
    ...(query.length > 0 && { query }),
    ...(json && { body: true }),
    ...(requestBody &&
      !json && { upload: Object.fromEntries(uploads.map(({ name }) => [UPLOAD_FIELDS[name], name])) }),
    ...(!schema && (isStream(operation) ? { stream: true } : { download: true })),
    ...(parameters.some(({ name }) => name === "Idempotency-Key") && { idempotent: true }),
    ...(single.length === 1 && { field: single[0] }),
    ...(pages && { pages }),
  };
}

/** Returns the fields of a list's response except those about its page. */
const fieldsBesidePage = (fields: readonly string[]) =>
  fields.includes("nextCursor") ? fields.filter((name) => !PAGE_FIELDS.includes(name)) : fields;

export const parametersOf = ({ parameters }: Described, { components }: Document): Parameter[] =>
  parameters.map((parameter) =>
    parameter.$ref ? defined(components.parameters[parameter.$ref.split("/").at(-1) ?? ""]) : parameter,
  );

/** Returns the JSON media type of a success; undefined if the response is always bytes. */
const answerOf = ({ responses }: Described) =>
  Object.entries(responses).find(([status]) => /^20[0-2]$/.test(status))?.[1].content["application/json"];

const isStream = ({ responses }: Described) => responses["200"]?.content["text/event-stream"] !== undefined;

export function resolve(schema: Schema, { components }: Document): Schema {
  const name = referred(schema);
  return name ? defined(components.schemas[name]) : schema;
}

const fieldNames = ({ properties }: Schema) => Object.keys(properties ?? {}).filter((name) => name !== "ok");

/** Returns the types of the document's components, without the error envelope and without `ok`. */
function typesOf({ components }: Document, more: [string, Schema][]): string {
  const headers = new Set(Object.values(components.parameters).map(({ schema }) => referred(schema)));
  const declared = Object.entries(components.schemas).flatMap(([name, schema]) => {
    // The runtime has its own types for these options and errors.
    if (headers.has(name) || schema.allOf?.some((part) => referred(part) === "Failure")) return [];
    const { ok, ...properties } = schema.properties ?? {};
    // An item of a list may have a field `ok` of its own: that is not an envelope.
    const renamed = name === "Error" ? "ErrorBody" : name;
    if (ok?.const === undefined) return [declarationOf(renamed, schema)];
    // Callers get the field's content, not the whole response.
    if (fieldsBesidePage(Object.keys(properties)).length === 1) return [];
    return [declarationOf(renamed, { ...schema, properties })];
  });
  const added = more.filter(([name]) => !components.schemas[name]);
  return [
    ...declared,
    ...added.map(([name, schema]) => declarationOf(name, schema).replace(ANY_JSON, "unknown")),
  ].join("\n");
}

/** The name that zod gives to arbitrary JSON, which has no name of its own. */
const ANY_JSON = /__schema\d+/g;

type Tree = { [part: string]: Tree | string };

function apiOf(
  operations: (Described & { path: string })[],
  entries: (readonly [string, Entry])[],
  document: Document,
): string {
  const tree: Tree = {};
  for (const [index, operation] of operations.entries()) {
    const parts = operation.operationId.split(".");
    let node = tree;
    for (const part of parts.slice(0, -1)) {
      node[part] ??= {};
      node = node[part] as Tree;
    }
    const [, entry] = defined(entries[index]);
    node[parts.at(-1) ?? ""] = methodOf(operation, parts.at(-1) ?? "", entry, document);
  }
  return `/** Every operation by its id. */\nexport interface Api ${render(tree, "")}\n`;
}

function render(tree: Tree, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(tree).map(([name, node]) =>
    typeof node === "string"
      ? node.replace(/^(?=.)/gm, inner)
      : `${inner}readonly ${name}: ${render(node, inner)};\n`,
  );
  return `{\n${lines.join("")}${indent}}`;
}

/** Returns the text with types named as the file imports them; only type names have capitals outside of quotes. */
const qualified = (type: string) =>
  type.replace(/"[^"]*"|\b[A-Z]\w*/g, (word) => (/^"|^Record$/.test(word) ? word : `types.${word}`));

function methodOf(
  operation: Described & { path: string },
  name: string,
  entry: Entry,
  document: Document,
): string {
  const note = comment(`${operation.summary}.${operation.deprecated ? " @deprecated" : ""}`);
  const byHand = BY_HAND[operation.operationId];
  if (byHand) return `${note}${name}: ${byHand};\n`;
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => {
    const { schema } = defined(operation.parameters.find((one) => one.name === parameter));
    return `${parameter}: ${qualified(typeOf(schema))}`;
  });
  const input = inputOf(operation, entry);
  const args = [
    ...inPath,
    ...(entry.upload ? ["source: Source"] : []),
    ...(input ? [`input${input.required ? "" : "?"}: ${input.type}`] : []),
    "options?: CallOptions",
  ];
  return `${note}${name}(${args.join(", ")}): ${resultOf(operation, entry, document)};\n`;
}

function inputOf(
  operation: Described,
  { query, body, upload }: Entry,
): { type: string; required: boolean } | null {
  const parts: string[] = [];
  let required = false;
  if (body) {
    const { content, required: needed } = operation.requestBody as Content & { required?: boolean };
    parts.push(qualified(typeOf(content["application/json"]?.schema ?? {})));
    required ||= needed === true;
  }
  const fields = operation.parameters.filter(
    ({ in: where, name }) => query?.includes(name) || (upload && where === "header" && UPLOAD_FIELDS[name]),
  );
  const lines = [
    ...fields.map(({ name, required: needed, schema }) => {
      required ||= needed === true;
      const field = query ? name : UPLOAD_FIELDS[name];
      return `${field}${needed ? "" : "?"}: ${qualified(typeOf(schema))}${needed ? "" : " | undefined"}`;
    }),
    ...(upload ? ["size?: number | undefined"] : []),
    ...(upload?.name ? ["contentType?: string | undefined"] : []),
  ];
  if (lines.length > 0) parts.push(`{ ${lines.join("; ")} }`);
  return parts.length > 0 ? { type: parts.join(" & "), required } : null;
}

function resultOf(operation: Described, { download, field, pages }: Entry, document: Document): string {
  const answer = answerOf(operation);
  if (download || !answer) return "Download";
  const schema = resolve(answer.schema, document);
  if (!field) return `Call<${qualified(typeOf(answer.schema))}>`;
  const type = defined(schema.properties?.[field]);
  if (pages) return `List<${qualified(typeOf(defined(type.items)))}>`;
  return `Call<${qualified(typeOf(type))}>`;
}

/** Returns the input and output types of the platform's own services, by service and operation. */
function servicesOf(): { types: [string, Schema][]; text: string } {
  const types = new Map<string, Schema>();
  const convert = (schema: z.ZodType, io: "input" | "output"): string => {
    const { $defs = {}, ...root } = jsonSchemaOf(schema, { io, unrepresentable: "any" });
    for (const [name, definition] of Object.entries($defs))
      if (!name.startsWith("__")) types.set(name, definition);
    return typeOf(root, "    ").replace(ANY_JSON, "unknown");
  };
  const lines = ownServices
    .filter(({ endpoints }) => !endpoints)
    .map(({ id, capabilities }) => {
      const operations = capabilities.map(
        (one) =>
          `${comment(one.title, "    ")}    ${JSON.stringify(one.id)}: { input: ${convert(one.input, "input")}; output: ${convert(one.output, "output")} };\n`,
      );
      return `  ${JSON.stringify(id)}: {\n${operations.join("")}  };\n`;
    });
  return {
    types: [...types],
    text: `/** Inputs and results of the platform's own services. */\nexport interface Services {\n${lines.join("")}}\n`,
  };
}
