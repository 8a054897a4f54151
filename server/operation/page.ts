import { createHash } from "node:crypto";
import { asc, desc, gt, gte, lt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { wholeText } from "#db/columns.ts";
import { allOf } from "#db/conditions.ts";
import { type IdKind, idOf, NIL_UUID, toUuid } from "#server/base/ids.ts";
import { keysOf } from "#server/base/keys-of.ts";
import { invalid } from "./errors.ts";

const EXAMPLE_CURSOR = "q83vEjRWAZfHANyqf2aKvM3v8BI0Vg";

/** The two query fields of every list. */
export const PageQuery = z.object({
  limit: z
    .int({ error: ({ input }) => `Send a whole number, 1 to 100, not ${JSON.stringify(input)}.` })
    .min(1)
    .max(100)
    .meta({
      id: "PageLimit",
      description: "The maximum number of items in the page, 1 to 100.",
      examples: [25],
    })
    .default(25),
  cursor: z
    .string()
    .max(2000)
    .meta({
      id: "PageCursor",
      description:
        "`nextCursor` of the previous page. Valid only with the filters and the order of the request that returned it.",
      examples: [EXAMPLE_CURSOR],
    })
    .optional(),
});

/** The highest number of rows that is counted. */
const MAX_COUNTED = 1000;

/** The query fields of a list that counts its items on request. */
export const CountedPageQuery = PageQuery.extend({
  total: z
    .enum(["include"])
    .meta({
      id: "PageTotal",
      description: "`include`: the answer has `total`, the number of items.",
      examples: ["include"],
    })
    .optional(),
});

export const total = z
  .object({
    count: z.int().describe(`How many items there are on all pages, counted up to ${MAX_COUNTED}.`),
    more: z.boolean().describe("Whether there are more than `count`."),
  })
  .meta({
    id: "ListTotal",
    description: "How many items match the filters; only if the request has `total=include`.",
    examples: [{ count: 312, more: false }],
  })
  .optional();

/** The fields of a list's answer besides its items. */
export const PAGE_FIELDS: readonly string[] = ["nextCursor", "total"];

export type Total = NonNullable<z.output<typeof total>>;

/** The query field that sorts a list by creation time, or by one of these names: `sortBy(["name"])`. */
export function sortBy<const Name extends string = never>(names: readonly Name[] = []) {
  const fields: readonly ("createdAt" | Name)[] = ["createdAt", ...names];
  return z
    .enum(fields.flatMap((field) => [`-${field}` as const, field]))
    .meta({
      id: ["SortByCreatedAt", ...names.map((name) => name.charAt(0).toUpperCase() + name.slice(1))].join(
        "Or",
      ),
      description:
        "The order: by this field, with `-` the other way round. Without it, newest first. Names are compared by their first 200 characters, ignoring case.",
      examples: ["createdAt"],
    })
    .optional();
}

/** The number of characters of a name that are compared. */
const COMPARED = 200;
/** The bytes of a cursor before its name: six for the filters, and a UUID. */
const BOUND = 22;
const LAST = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** True if the id `a` comes before `b` in a list by creation time. */
export const comesBefore = (a: string, b: string, isDescending: boolean) => (isDescending ? a > b : a < b);

export const nextCursor = z
  .string()
  .nullable()
  .meta({
    id: "NextCursor",
    description: "Pass it as `cursor` for the next page; null at the end.",
    examples: [EXAMPLE_CURSOR],
  });

/** Returns the UUID right above this one, or right below it. */
function neighbour(uuid: string, step: 1n | -1n): string {
  const hex = (BigInt(`0x${uuid.replaceAll("-", "")}`) + step).toString(16).padStart(32, "0");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** The stored bytes of customers' content in one page; its first item may have more. */
const MAX_BYTES = 4 * 1_048_576;

/** Returns rows in the order of their ids. */
export function inOrder<Row extends { id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

interface PageRequest {
  limit: number;
  cursor?: string | undefined;
  sort?: string | undefined;
  total?: "include" | undefined;
}

function binding(kind: IdKind, filters: object): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([kind, filters]))
    .digest()
    .subarray(0, 6);
}

/**
 * Keyset paging over time-ordered ids, newest first, or in the order of `sort`; stable while rows are inserted.
 * `filters` are the query fields that select rows; a cursor is refused with other filters, or another order, than its
 * own. `field` is the name under which the cursor was sent, `sorts` the columns, without nulls, of the names that `sort` accepts.
 */
export function pageOf<Sort extends string = never>(
  kind: IdKind,
  id: PgColumn,
  { limit, cursor, total, ...filters }: PageRequest & Record<string, unknown>,
  { field = "query.cursor", sorts }: { field?: string; sorts?: Record<Sort, SQLWrapper> } = {},
) {
  const isDescending = filters.sort === undefined || filters.sort.startsWith("-");
  const sort = sorts && keysOf(sorts).find((name) => name === filters.sort?.replace(/^-/, ""));
  const [beyond, ordered] = isDescending ? [lt, desc] : [gt, asc];
  const key = sorts && sort && wholeText(sorts[sort]);
  const last = cursor === undefined ? null : lastOf(cursor);
  return {
    isDescending,
    /** Compares two ids by their place in a list by creation time. */
    compare: (a: string, b: string) => (a === b ? 0 : comesBefore(a, b, isDescending) ? -1 : 1),
    /** Every row of a page by creation time comes after this id. */
    start: last?.id ?? idOf(kind, isDescending ? LAST : NIL_UUID),
    /** Combines the query's condition with the page's. */
    where(condition: SQL): SQL {
      // True of every name; it shows the planner that the index of names, which omits nulls, contains every row.
      const named = key && gte(key, sql`''`);
      if (!last) return allOf(condition, named);
      if (!key) return allOf(condition, beyond(id, last.id));
      const after = sql`(${wholeText(sql`${last.name}::text`)}, ${sql.param(last.id, id)}::uuid)`;
      return allOf(condition, named, beyond(sql`(${key}, ${id})`, after));
    },
    order: key ? sql`${ordered(key)}, ${ordered(id)}` : ordered(id),
    /** One row more than requested, which shows whether there is a next page. */
    limit: limit + 1,
    /** Returns the cursor of the page whose first row has this id, or comes after it. */
    cursorFrom: (id: string) =>
      cursorAt(idOf(kind, neighbour(toUuid(kind, id), isDescending ? 1n : -1n)), ""),
    cut,
    /**
     * Like `cut`; also drops the rows whose content would make the page too large. For lists of content of the
     * customer's size, which read ids and sizes first.
     */
    cutToFit<Row extends { id: string; bytes: number } & Record<Sort, string | null>>(rows: Row[]) {
      let bytes = 0;
      const beyond = rows.slice(0, limit).findIndex((row, nth) => {
        bytes += row.bytes;
        return nth > 0 && bytes > MAX_BYTES;
      });
      return cut(rows, beyond === -1 ? limit : beyond);
    },
    /** Counts the rows of `all` up to a bound, if the request asks for that; `found` is the page of them. */
    async total(
      db: Db | Transaction,
      all: () => { limit(most: number): SQLWrapper },
      found: { rows: readonly unknown[]; nextCursor: string | null },
    ): Promise<Total | undefined> {
      if (total === undefined) return undefined;
      if (cursor === undefined && found.nextCursor === null) return { count: found.rows.length, more: false };
      const [counted] = await db.execute<{ rows: number }>(
        sql`select count(*)::int as rows from ${all().limit(MAX_COUNTED + 1)} counted`,
      );
      const rows = counted?.rows ?? 0;
      return { count: Math.min(rows, MAX_COUNTED), more: rows > MAX_COUNTED };
    },
  };

  /** Drops the extra row and those beyond `most`, and returns the next cursor. */
  function cut<Row extends { id: string } & Record<Sort, string | null>>(
    rows: Row[],
    most = limit,
  ): { rows: Row[]; nextCursor: string | null } {
    const end = rows.length > most ? rows[most - 1] : undefined;
    return {
      rows: rows.slice(0, most),
      nextCursor: end ? cursorAt(end.id, (sort && end[sort]) ?? "") : null,
    };
  }

  function cursorAt(lastId: string, name: string): string {
    const uuid = Buffer.from(toUuid(kind, lastId).replaceAll("-", ""), "hex");
    // The part of a name that is compared.
    const compared = [...name].slice(0, COMPARED).join("");
    return Buffer.concat([binding(kind, filters), uuid, Buffer.from(compared)]).toString("base64url");
  }

  function lastOf(text: string): { id: string; name: string } {
    const raw = Buffer.from(text, "base64url");
    const name = raw.subarray(BOUND).toString();
    if (raw.length < BOUND || (name !== "" && !sort) || name.includes("\0"))
      throw invalid(field, "Not a cursor of this list. Pass `nextCursor` as it was answered.");
    if (!raw.subarray(0, 6).equals(binding(kind, filters))) {
      throw invalid(field, "The cursor belongs to other filters. Start again without a cursor.");
    }
    const hex = raw.subarray(6, BOUND).toString("hex");
    const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    return { id: idOf(kind, uuid), name };
  }
}
