import { z } from "zod";
import { invalid } from "./errors.ts";
import { sentInstant } from "./fields.ts";

/** The query fields that restrict a list to a period of time. */
export const PeriodQuery = z.object({
  from: sentInstant.optional().describe("Only what happened at this moment or later. ISO 8601, UTC."),
  to: sentInstant.optional().describe("Only what happened before this moment. ISO 8601, UTC."),
});

/** Refuses a period that ends before it begins. */
export function refuseReversed(from: string | undefined, to: string | undefined): void {
  if (from !== undefined && to !== undefined && from > to)
    throw invalid("query.from", `${from} is after \`to\`, ${to}. Send the earlier moment as \`from\`.`);
}
