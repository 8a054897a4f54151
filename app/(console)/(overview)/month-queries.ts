import { usageQueries } from "#app/(console)/usage/queries.ts";

/** The last 30 days; by itself, so that the first steps do not load what reads periods. */
export const monthQueries = () => usageQueries({ period: "", from: "", to: "" });
