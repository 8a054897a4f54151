import { EVENT_ENTRIES } from "#server/events/catalogue.ts";
import { fieldsOfEvent } from "#server/events/event-fields.ts";
import { exampleOf } from "./openapi/example.ts";
import { collectSchemas } from "./openapi/schemas.ts";

/** Returns the fields that a condition can compare, by event family. */
function fieldsByFamily(): Record<string, string[]> {
  const families = Map.groupBy(EVENT_ENTRIES, ([type]) => type.split(".", 1)[0] ?? "");
  return Object.fromEntries(
    [...families].map(([family, entries]) => {
      const fields = entries.flatMap(([type]) => [...fieldsOfEvent(type)]);
      return [family, [...new Set(fields.filter(([, kind]) => kind === "value").map(([path]) => path))]];
    }),
  );
}

/** Returns an example of the data of each event; events with the same data share the first one's example. */
function examples(): [type: string, data: unknown][] {
  const distinct = new Map(EVENT_ENTRIES.toReversed().map(([type, { data }]) => [data, type]));
  const schemas = collectSchemas(
    [],
    [...distinct].map(([data]) => data),
  );
  const components = schemas.components();
  return [...distinct].map(([data, type]) => [type, exampleOf(schemas.convert(data, "output"), components)]);
}

/**
 * Returns every event that webhooks can receive, with its description, examples of the data, and the fields that
 * conditions can compare.
 */
export const eventChoices = {
  catalogue: EVENT_ENTRIES.map(([type, { description }]) => ({ type, description })),
  examples: examples(),
  fields: fieldsByFamily(),
};
