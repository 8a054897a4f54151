import { ID_PREFIXES, nameOf } from "#server/base/ids.ts";
import { keysOf } from "#server/base/keys-of.ts";
import type { JsonSchema } from "#server/operation/json-schema.ts";
import { pascal, singular } from "./names.ts";

export const PREFIX = "#/components/schemas/";
const COMBINATIONS = ["anyOf", "oneOf"] as const;
const TIMESTAMP = "Timestamp";
const KINDS = new Map(
  keysOf(ID_PREFIXES).map((kind) => [`^${ID_PREFIXES[kind]}_[0-7][0-9a-hjkmnp-tv-z]{25}$`, kind]),
);

/** The components of a document, to which names can be added. */
export interface NamedSchemas {
  /** Adds the schema as a component, with a component for each object within it; returns a reference to it. */
  name(name: string, schema: JsonSchema): JsonSchema;
  /** Returns the schema itself, with references to components for the objects, ids and times within it. */
  within(schema: JsonSchema, name: string): JsonSchema;
  components(): Record<string, JsonSchema>;
}

/** Names nested schemas after their parents and fields: `Approval` → `ApprovalSubject`. */
export function nameSchemas(schemas: Readonly<Record<string, JsonSchema>>): NamedSchemas {
  const named = new Map<string, JsonSchema>();
  const shared = new Map<string, JsonSchema>();

  function add(name: string, schema: JsonSchema): JsonSchema {
    const known = named.get(name) ?? schemas[name];
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`Two schemas have the name ${name}: name one by .meta({ id }).`);
    named.set(name, schema);
    return refer(name);
  }

  function share(name: string, { description, ...schema }: JsonSchema, own: unknown): JsonSchema {
    if (!shared.has(name)) shared.set(name, { ...schema, description });
    return { ...refer(name), ...(own !== undefined && own !== description && { description: own }) };
  }

  /** Returns the shared component for an id or a time; null for any other schema. */
  function sharedOf({
    type,
    pattern,
    format,
    description,
    title: _,
    examples: __,
    ...rest
  }: JsonSchema): JsonSchema | null {
    if (type !== "string" || Object.keys(rest).length > 0) return null;
    const kind = KINDS.get(String(pattern));
    if (kind) {
      const meaning = `Id of the ${nameOf(kind)} (TypeID, \`${ID_PREFIXES[kind]}_…\`).`;
      const id = { type, pattern, description: meaning };
      return share(`${pascal(kind)}Id`, id, description);
    }
    if (format !== "date-time" || pattern !== undefined) return null;
    const meaning = "ISO 8601, UTC, milliseconds.";
    return share(TIMESTAMP, { type, format, description: meaning }, description);
  }

  /**
   * Returns the shared component in a union with null, if the schema is one that also allows null; otherwise null.
   */
  function nullableOf({ type, ...schema }: JsonSchema): JsonSchema | null {
    if (!Array.isArray(type) || type.length !== 2 || type[1] !== "null") return null;
    const { description, ...found } = sharedOf({ ...schema, type: type[0] }) ?? {};
    if (!found.$ref) return null;
    return { anyOf: [found, { type: "null" }], ...(description !== undefined && { description }) };
  }

  function within(schema: JsonSchema, name: string): JsonSchema {
    return sharedOf(schema) ?? nullableOf(schema) ?? withNamedParts(schema, name);
  }

  function withNamedParts(schema: JsonSchema, name: string): JsonSchema {
    const result: JsonSchema = isObject(schema) ? withoutExample(schema) : { ...schema };
    const { required = [] } = schema;
    if (schema.properties)
      result.properties = Object.fromEntries(
        Object.entries(schema.properties).map(([key, property]) => [
          key,
          inner(
            schema.examples || required.includes(key) ? withoutExample(property) : property,
            `${name}${pascal(key)}`,
          ),
        ]),
      );
    if (isSchema(schema.items)) result.items = inner(schema.items, itemName(name));
    if (isSchema(schema.additionalProperties))
      result.additionalProperties = inner(schema.additionalProperties, itemName(name));
    for (const combination of COMBINATIONS) {
      const parts = schema[combination];
      if (!parts) continue;
      const objects = parts.filter(hasFields);
      result[combination] = parts.map((part, index) =>
        inner(part, objects.length > 1 ? `${name}${variantName(part, objects, index)}` : name),
      );
    }
    return result;
  }

  function inner(schema: JsonSchema, name: string): JsonSchema {
    return hasFields(schema) ? add(name, within(schema, name)) : within(schema, name);
  }

  // A component that is a time stays one, since readers of references follow a single one.
  for (const [name, schema] of Object.entries(schemas)) named.set(name, withNamedParts(schema, name));

  return {
    name: (name, schema) => add(name, within(schema, name)),
    within,
    components: () => Object.fromEntries([...named, ...shared].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

export const refer = (name: string): JsonSchema => ({ $ref: `${PREFIX}${name}` });

/**
 * Drops the example of an object or of a required field, which the media types that send it show. Generators copy the
 * examples of schemas into comments of three to dozens of lines.
 */
function withoutExample({ examples: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null;

/** True if the schema is an object with declared fields. */
function hasFields({ properties }: JsonSchema): boolean {
  return isSchema(properties) && Object.keys(properties).length > 0;
}

/** True if the schema is such an object, or if one of its alternatives is. */
function isObject(schema: JsonSchema): boolean {
  return hasFields(schema) || COMBINATIONS.some((combination) => schema[combination]?.some(hasFields));
}

/** Returns the name of a list's items: `ProjectTags` → `ProjectTag`. */
function itemName(name: string): string {
  const one = singular(name);
  return one === name ? `${name}Item` : one;
}

/** Names a variant by the value of its constant field, else by the first field that only it has. */
function variantName(variant: JsonSchema, all: readonly JsonSchema[], index: number): string {
  const { properties = {} } = variant;
  const constants = Object.values(properties).flatMap((property) => property.const ?? []);
  if (typeof constants[0] === "string") return pascal(constants[0]);
  const others = all.filter((other) => other !== variant);
  const own = Object.keys(properties).find((name) => others.every((other) => !other.properties?.[name]));
  return own === undefined ? String(index + 1) : pascal(own);
}
