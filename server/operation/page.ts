import { createHash } from "node:crypto";
import { desc, ilike, lt, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { type IdKind, idOf, toUuid } from "#server/ids.ts";
import { invalid } from "./errors.ts";

const EXAMPLE_CURSOR = "q83vEjRWAZfHANyqf2aKvM3v8BI0Vg";

/** The two query fields of every list. */
export const PageQuery = z.object({
  limit: z
    .int({ error: ({ input }) => `Send a whole number, 1 to 100, not ${JSON.stringify(input)}.` })
    .min(1)
    .max(100)
    .default(25)
    .describe("The maximum number of items in the page, 1 to 100."),
  cursor: z
    .string()
    .max(500)
    .optional()
    .meta({
      description:
        "`nextCursor` of the previous page. Valid only with the filters of the request that returned it.",
      examples: [EXAMPLE_CURSOR],
    }),
});

/** The query field that filters a list by part of a name: `searchBy("Only projects whose name")`. */
export function searchBy(which: string) {
  return z
    .string()
    .trim()
    .min(1, "Send at least one character.")
    .max(200, "At most 200 characters.")
    .optional()
    .meta({ description: `${which} contains this text, ignoring case.`, examples: ["shop"] });
}

/** Matches a column that contains the text, ignoring case. */
export function contains(column: PgColumn, text: string): SQL {
  return ilike(column, patternOf(text));
}

/** Returns the `like` pattern that matches exactly this text anywhere. */
export const patternOf = (text: string) => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

const LAST = "ffffffff-ffff-ffff-ffff-ffffffffffff";

export const nextCursor = z
  .string()
  .nullable()
  .meta({
    description: "Pass it as `cursor` for the next page; null at the end.",
    examples: [EXAMPLE_CURSOR],
  });

/** The UUID right above this one. */
function next(uuid: string): string {
  const hex = (BigInt(`0x${uuid.replaceAll("-", "")}`) + 1n).toString(16).padStart(32, "0");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

interface PageRequest {
  limit: number;
  cursor?: string | undefined;
}

function binding(kind: IdKind, filters: object): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([kind, filters]))
    .digest()
    .subarray(0, 6);
}

/**
 * Keyset paging over time-ordered ids, newest first; stable while rows are inserted. `filters` are the query
 * fields that select rows; a cursor is refused with other filters than its own. `field` is the name under
 * which the cursor was sent.
 */
export function pageOf(
  kind: IdKind,
  id: PgColumn,
  { limit, cursor, ...filters }: PageRequest & Record<string, unknown>,
  field = "query.cursor",
) {
  const before = cursor === undefined ? idOf(kind, LAST) : after(cursor);
  return {
    /** Every row of the page has an id below this one. */
    before,
    /** Combines the query's condition with the page's. */
    where: (condition: SQL): SQL => (cursor === undefined ? condition : allOf(condition, lt(id, before))),
    order: desc(id),
    /** One row more than asked for, which shows whether there is a next page. */
    limit: limit + 1,
    /** Returns the cursor of the page whose first row has this id or one below it. */
    cursorFrom: (id: string) => cursorAt(idOf(kind, next(toUuid(kind, id)))),
    /** Drops the extra row and those beyond `most`, and returns the next cursor. */
    cut<Row extends { id: string }>(rows: Row[], most = limit): { rows: Row[]; nextCursor: string | null } {
      const last = rows.length > most ? rows[most - 1] : undefined;
      return { rows: rows.slice(0, most), nextCursor: last ? cursorAt(last.id) : null };
    },
  };

  function cursorAt(lastId: string): string {
    const uuid = toUuid(kind, lastId);
    return Buffer.concat([binding(kind, filters), Buffer.from(uuid.replaceAll("-", ""), "hex")]).toString(
      "base64url",
    );
  }

  function after(text: string): string {
    const raw = Buffer.from(text, "base64url");
    if (raw.length !== 22)
      throw invalid(field, "Not a cursor of this list. Pass `nextCursor` as it was answered.");
    if (!raw.subarray(0, 6).equals(binding(kind, filters))) {
      throw invalid(field, "The cursor belongs to other filters. Start again without a cursor.");
    }
    const hex = raw.subarray(6).toString("hex");
    return idOf(
      kind,
      `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`,
    );
  }
}
