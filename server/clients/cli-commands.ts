import type { Operation } from "#server/operation/operation.ts";
import { type Described, type Document, NOTE, parametersOf, resolve } from "./typescript-sdk.ts";
import { referred, type Schema } from "./typescript-types.ts";

/** How a field is given on a command line. */
type Kind = "text" | "number" | "flag" | "texts" | "json";

interface Field {
  kind: Kind;
  required?: true;
  nullable?: true;
  choices?: unknown[];
  about?: string;
}

interface Command {
  summary: string;
  scope?: string;
  /** True if it needs no credential. */
  public?: true;
  destructive?: true;
  fields: Record<string, Field>;
}

/** Generates the command line's table: the help text of each operation, and how each field is parsed. */
export function generateCli(document: Document, operations: readonly Operation[]): string {
  const destructive = new Set(operations.filter((one) => one.destructive).map((one) => one.operationId));
  const lines = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .filter(({ operationId }) => operationId !== "openapi.read")
    .map((described) => {
      const { operationId, summary } = described;
      const scope = (described as { "x-scope"?: string })["x-scope"];
      const command: Command = {
        summary,
        ...(scope && { scope }),
        ...(described.security.length === 0 && { public: true }),
        ...(destructive.has(operationId) && { destructive: true }),
        fields: fieldsOf(described, document),
      };
      return `  ${JSON.stringify(operationId)}: ${JSON.stringify(command)},\n`;
    });
  return `${NOTE}import type { Command } from "../command.ts";\n\nexport const COMMANDS: Record<string, Command> = {\n${lines.join("")}};\n`;
}

function fieldsOf(described: Described, document: Document): Record<string, Field> {
  const fields: Record<string, Field> = {};
  const json = described.requestBody?.content["application/json"]?.schema;
  const { properties = {}, required = [] } = json ? resolve(json, document) : {};
  for (const [name, schema] of Object.entries(properties))
    fields[name] = fieldOf(schema, document, required.includes(name));
  for (const { name, in: where, required: needed, schema, description } of parametersOf(described, document))
    if (where === "query") fields[name] = fieldOf({ description, ...schema }, document, needed === true);
  return fields;
}

function fieldOf(schema: Schema, document: Document, required: boolean): Field {
  const { schema: inner, nullable } = withoutNull(schema, document);
  const about = schema.description ?? inner.description;
  const kind = kindOf(inner, document);
  return {
    kind,
    ...(required && { required }),
    ...(nullable && { nullable }),
    ...(kind === "text" && Array.isArray(inner.enum) && { choices: inner.enum }),
    ...(typeof about === "string" && about !== "" && { about: about.replace(/\s*\n\s*/g, " ") }),
  };
}

/** Resolves references, and removes null if the schema has only one other alternative. */
function withoutNull(schema: Schema, document: Document): { schema: Schema; nullable: boolean } {
  const found = behind(schema, document);
  const alternatives = found.anyOf ?? found.oneOf;
  if (Array.isArray(found.type) && found.type.includes("null")) {
    const [only, ...others] = found.type.filter((type) => type !== "null");
    return { schema: { ...found, type: others.length === 0 ? only : undefined }, nullable: true };
  }
  const real = alternatives?.filter(({ type }) => type !== "null");
  const nullable = (alternatives ?? []).some(({ type }) => type === "null");
  const [one, ...others] = real ?? [];
  if (!one || others.length > 0) return { schema: found, nullable };
  return { schema: behind(one, document), nullable };
}

function behind(schema: Schema, document: Document): Schema {
  return referred(schema) ? { ...behind(resolve(schema, document), document) } : schema;
}

function kindOf(schema: Schema, document: Document): Kind {
  const { type, items } = schema;
  if (type === "string") return "text";
  if (type === "integer" || type === "number") return "number";
  if (type === "boolean") return "flag";
  const isTexts = type === "array" && behind(items ?? {}, document).type === "string";
  return isTexts ? "texts" : "json";
}
