import { and, gte, lt, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { z } from "zod";
import { invalid } from "./errors.ts";
import { sentInstant } from "./fields.ts";

/** The query fields that restrict a list to a period of time. */
export const PeriodQuery = z.object({
  from: sentInstant
    .meta({ id: "PeriodStart", description: "Only entries of this moment or later. ISO 8601, UTC." })
    .optional(),
  to: sentInstant
    .meta({ id: "PeriodEnd", description: "Only entries before this moment. ISO 8601, UTC." })
    .optional(),
});

/** Refuses a period that ends before it begins. */
export function refuseReversed(from: string | undefined, to: string | undefined): void {
  if (from !== undefined && to !== undefined && from > to)
    throw invalid("query.from", `${from} is after \`to\`, ${to}. Send the earlier moment as \`from\`.`);
}

/** Returns the lowest id with this time or a later one. */
export const floorOf = (moment: string) => sql`uuid_floor(${moment}::timestamptz)`;

/** Returns the lowest id after this moment: times of resources have milliseconds. */
export const floorAfter = (moment: string) =>
  sql`uuid_floor(${moment}::timestamptz + interval '1 millisecond')`;

/** Matches rows created within the period. An id contains its time, so the period is a range of the index. */
export function within(
  id: PgColumn,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): SQL | undefined {
  refuseReversed(from, to);
  return and(
    from === undefined ? undefined : gte(id, floorOf(from)),
    to === undefined ? undefined : lt(id, floorOf(to)),
  );
}
