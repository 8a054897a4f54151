import { between, eq, ilike, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { z } from "zod";
import { anyOf } from "#db/conditions.ts";
import { type IdKind, idsBeginning } from "#server/base/ids.ts";

/** The query field that filters a list by a part of a text: `searchBy("Only projects whose name")`. */
export function searchBy(which: string) {
  return z
    .string()
    .trim()
    .min(1, "Send at least one character.")
    .max(200, "At most 200 characters.")
    .optional()
    .meta({
      description: `${which} contains this text, ignoring case, or whose id begins with it.`,
      examples: ["shop"],
    });
}

/** The characters that addresses are made of. */
export const ADDRESS = /^(0?x)?[0-9a-f]*$/i;
/** The characters that slugs and the beginnings of secrets are made of. */
export const WORD = /^[\w-]+$/;

interface Searched {
  kind: IdKind;
  id: PgColumn;
  columns: readonly PgColumn[];
  /** Columns without an index of their parts. `made` is the form of their values: other texts are not searched for. */
  plain?: { columns: readonly PgColumn[]; made: RegExp };
}

/** Matches rows of which a column contains the text, ignoring case, or whose id begins with it. */
export function matching(text: string, { kind, id, columns, plain }: Searched): SQL {
  const ids = idsBeginning(kind, text);
  const compared = plain?.made.test(text) ? [...columns, ...plain.columns] : columns;
  return anyOf(
    // Without a column and an id nothing matches.
    ids ? between(id, ids.first, ids.last) : sql`false`,
    ...compared.map((column) => contains(column, text)),
  );
}

const SHA256 = /^[0-9a-f]{64}$/i;

/** Matches rows whose content has this SHA-256; undefined if the text is none. */
export function ofContent(sha256: PgColumn, text: string): SQL | undefined {
  return SHA256.test(text) ? eq(sha256, text.toLowerCase()) : undefined;
}

/** Matches a column that contains the text, ignoring case. */
export function contains(column: PgColumn, text: string): SQL {
  return ilike(column, patternOf(text));
}

/** Returns the `like` pattern that matches exactly this text anywhere. */
export const patternOf = (text: string) => `%${text.replace(/[\\%_]/g, "\\$&")}%`;
