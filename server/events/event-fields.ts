import { z } from "zod";
import { EVENTS, type EventType } from "./catalogue.ts";
import { envelope } from "./event.ts";

/** The kind of value at a path of an event's body; below `anything`, every path may exist. */
export type FieldKind = "value" | "list" | "object" | "anything";

const DEEPEST = 10;

/** Returns the paths of an event's body with their kinds, from the schema that validates sent bodies. */
export function fieldsOfEvent(type: EventType): ReadonlyMap<string, FieldKind> {
  return collected(type).fields;
}

/** Returns the paths that lead through lists, with their kinds; `0` stands for an entry of any number. */
export function entryFieldsOfEvent(type: EventType): ReadonlyMap<string, FieldKind> {
  return collected(type).entries;
}

interface Collected {
  fields: Map<string, FieldKind>;
  entries: Map<string, FieldKind>;
}

const known = new Map<EventType, Collected>();

function collected(type: EventType): Collected {
  let found = known.get(type);
  if (!found) {
    found = { fields: new Map(), entries: new Map() };
    const body = z.object({ ...envelope, type: z.string(), data: EVENTS[type].data });
    collect(body, [], found.fields, found.entries);
    known.set(type, found);
  }
  return found;
}

function collect(
  schema: z.core.$ZodType,
  path: readonly string[],
  fields: Map<string, FieldKind>,
  entries: Map<string, FieldKind>,
): void {
  for (const one of alternativesOf(schema)) {
    const kind = path.length < DEEPEST ? kindOf(one) : "anything";
    const before = fields.get(path.join("."));
    if (path.length > 0 && (before === undefined || RANK[kind] > RANK[before]))
      fields.set(path.join("."), kind);
    if (kind === "object" && one instanceof z.ZodObject)
      for (const [name, field] of Object.entries<z.core.$ZodType>(one.shape))
        collect(field, [...path, name], fields, entries);
    if (kind === "list" && one instanceof z.ZodArray)
      collect(one.element as z.core.$ZodType, [...path, "0"], entries, entries);
  }
}

// If a path may have several kinds, the one that allows more conditions is used.
const RANK: Record<FieldKind, number> = { list: 0, object: 1, value: 2, anything: 3 };

function kindOf(schema: z.core.$ZodType): FieldKind {
  if (schema instanceof z.ZodObject) return "object";
  if (schema instanceof z.ZodArray || schema instanceof z.ZodTuple) return "list";
  const open = [z.ZodRecord, z.ZodUnknown, z.ZodAny, z.ZodLazy, z.ZodTransform];
  return open.some((kind) => schema instanceof kind) ? "anything" : "value";
}

/** Returns the alternatives of a schema, without its wrappers. */
function alternativesOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly
  )
    return alternativesOf(schema.unwrap());
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => alternativesOf(option));
  if (schema instanceof z.ZodPipe) return alternativesOf(schema.out);
  return [schema];
}
