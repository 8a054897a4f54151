import { closest } from "fastest-levenshtein";
import { EVENT_TYPES } from "#server/events/catalogue.ts";
import { type FieldKind, fieldsOfEvent } from "#server/events/event-fields.ts";
import type { Condition } from "./schema.ts";

/** A condition that nothing can fulfil, by its place in the filter. */
export interface FilterFault {
  at: number;
  message: string;
}

/** Finds the conditions on fields that no event among these patterns has, or that hold more than one value. */
export function filterFaults(
  filter: readonly Condition[],
  events: readonly string[],
  covers: (pattern: string, type: string) => boolean,
): FilterFault[] {
  const fields = new Map<string, Set<FieldKind>>();
  for (const type of EVENT_TYPES)
    if (events.some((pattern) => covers(pattern, type)))
      for (const [path, kind] of fieldsOfEvent(type)) {
        const kinds = fields.get(path) ?? new Set();
        fields.set(path, kinds.add(kind));
      }
  return filter.flatMap((condition, at) => {
    const message = faultOf(condition, fields);
    return message ? [{ at, message }] : [];
  });
}

function faultOf(
  { path, op }: Condition,
  fields: ReadonlyMap<string, ReadonlySet<FieldKind>>,
): string | null {
  const kinds = fields.get(path);
  if (!kinds) {
    const names = path.split(".");
    const above = names.map((_, length) => names.slice(0, length).join("."));
    if (above.some((part) => fields.get(part)?.has("anything"))) return null;
    const nearest = closest(path, [...fields.keys()]);
    return `No event that is asked for has ${path}. The nearest is ${nearest}.`;
  }
  if (op === "exists" || kinds.has("value") || kinds.has("anything")) return null;
  return kinds.has("object")
    ? `${path} holds several fields. Name one of them, like ${path}.${nameBelow(path, fields)}.`
    : `${path} is a list; a condition compares one value. Name another field.`;
}

function nameBelow(path: string, fields: ReadonlyMap<string, unknown>): string {
  const below = [...fields.keys()].find((other) => other.startsWith(`${path}.`));
  return below?.slice(path.length + 1) ?? "id";
}
