import { EVENT_ENTRIES } from "#server/events/catalogue.ts";

/** Every event that webhooks get, with when it happens. */
export const eventCatalogue = EVENT_ENTRIES.map(([type, { description }]) => ({ type, description }));
