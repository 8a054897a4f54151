import { closest } from "fastest-levenshtein";
import { type Comparison, valueFault } from "#server/operation/conditions.ts";
import { EVENT_TYPES, type EventType } from "./catalogue.ts";
import { entryFieldsOfEvent, type FieldKind, fieldsOfEvent } from "./event-fields.ts";

/** A condition that nothing can fulfil, by its place among the conditions. */
export interface ConditionFault {
  at: number;
  field: "path" | "value";
  message: string;
}

interface PathCondition extends Comparison {
  path: string;
}

/** The fields that events have, each with the kinds of values that it may hold. */
type Fields = ReadonlyMap<string, ReadonlySet<FieldKind>>;

/** Finds the conditions of a webhook's filter that no event of these types can fulfil. */
export function filterFaults(
  filter: readonly PathCondition[],
  isAskedFor: (type: string) => boolean,
): ConditionFault[] {
  const fields = mergeFields(EVENT_TYPES.filter(isAskedFor).map((type) => [...fieldsOfEvent(type)]));
  return filter.flatMap((condition, at) => {
    const message = pathFault(condition.path, condition, fields, "No event that is asked for has");
    return message ? [{ at, field: "path" as const, message }] : [];
  });
}

/**
 * Finds the conditions in `where` that nothing can fulfil. The platform's events have known fields, as in a webhook's
 * filter; any other event, and a delivery (`event` is undefined), may have any data. A value for which `isOpen` returns
 * true is known only later.
 */
export function whereFaults(
  where: readonly PathCondition[],
  event: string | undefined,
  isOpen: (value: unknown) => boolean,
): ConditionFault[] {
  const type = EVENT_TYPES.find((one) => one === event);
  const fields = type && fieldsBelowData(type);
  const faultOfPath = (condition: PathCondition) =>
    missingPart(condition.path, event, type) ??
    (fields ? pathFault(withFirstEntries(condition.path), condition, fields, `${type} has no`) : null);
  return where.flatMap((condition, at): ConditionFault[] => {
    const path = faultOfPath(condition);
    const value = isOpen(condition.value) ? null : valueFault(condition, type ? "platform" : "others");
    return [
      ...(path ? [{ at, field: "path" as const, message: path }] : []),
      ...(value ? [{ at, field: "value" as const, message: value }] : []),
    ];
  });
}

function missingPart(path: string, event: string | undefined, type: EventType | undefined): string | null {
  if (event === undefined) return path === "key" ? "A delivery has no key." : null;
  if (path.startsWith("headers.")) return "An event has no headers.";
  return path === "key" && type ? "The platform's events have no key." : null;
}

/** The fields that `where` reads of an event: its name and its data. */
function fieldsBelowData(type: EventType): Fields {
  const ofData = [...fieldsOfEvent(type), ...entryFieldsOfEvent(type)].filter(([path]) =>
    `${path}.`.startsWith("data."),
  );
  return mergeFields([[["name", "value"], ...ofData]]);
}

// All entries of a list have the same fields.
const withFirstEntries = (path: string) => path.replaceAll(/\.-?\d+(?=\.|$)/g, ".0");

function mergeFields(parts: readonly (readonly [string, FieldKind])[][]): Fields {
  return new Map(
    [...Map.groupBy(parts.flat(), ([path]) => path)].map(([path, kinds]) => [
      path,
      new Set(kinds.map(([, kind]) => kind)),
    ]),
  );
}

function pathFault(
  path: string,
  { op, path: sent }: PathCondition,
  fields: Fields,
  nothingHas: string,
): string | null {
  const kinds = fields.get(path);
  if (!kinds) {
    const names = path.split(".");
    const above = names.map((_, length) => names.slice(0, length).join("."));
    if (above.some((part) => fields.get(part)?.has("anything"))) return null;
    const nearest = closest(path, [...fields.keys()]);
    return `${nothingHas} ${sent}. The nearest is ${nearest}.`;
  }
  if (op === "exists" || kinds.has("value") || kinds.has("anything")) return null;
  if (kinds.has("object"))
    return `${sent} holds several fields. Name one of them, like ${sent}.${nameBelow(path, fields)}.`;
  const other = fields.has(`${path}.0`) ? `one of its entries, like ${sent}.0` : "another field";
  return `${sent} is a list; a condition compares one value. Name ${other}.`;
}

function nameBelow(path: string, fields: Fields): string {
  const below = [...fields.keys()].find((other) => other.startsWith(`${path}.`));
  return below?.slice(path.length + 1) ?? "id";
}
