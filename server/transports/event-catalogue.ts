import { EVENT_ENTRIES } from "#server/events/catalogue.ts";
import { fieldsOfEvent } from "#server/events/event-fields.ts";

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

/** Every event that webhooks can receive, with its description and the fields that conditions can compare. */
export const eventChoices = {
  catalogue: EVENT_ENTRIES.map(([type, { description }]) => ({ type, description })),
  fields: fieldsByFamily(),
};
