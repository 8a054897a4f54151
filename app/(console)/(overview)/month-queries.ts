import { usageQueries } from "#app/(console)/usage/queries.ts";

/** The last 30 days; in a file of its own, so that the first steps do not load the parsing of periods. */
export const monthQueries = () => usageQueries({ period: "", from: "", to: "" });
