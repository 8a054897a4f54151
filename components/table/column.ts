import type { ReactNode } from "react";
import type { CsvColumn } from "#components/table/csv.ts";

/**
 * A column of a table, at module level: `const columns: Column<Project>[] = [{ header: "Name", cell: (p) => p.name }, …]`.
 * The first column is the row's link and must be plain text. Sorting, filtering and paging are the server's.
 */
export type Column<Row> = {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Numbers and amounts stand at the end. */
  align?: "end";
  /** A CSS width, such as `8rem`; columns without one share the rest evenly. */
  width?: string;
  /** The header is for screen readers only: the cells speak for themselves. */
  quiet?: boolean;
  /** Left out where the table has less than 896 px; where rows have no page of their own, only while it is a table. */
  minor?: boolean;
  /** Where a row is two lines, it stands whole at the end of the second, whatever is before it. */
  kept?: boolean;
  /** Speaks for itself: where a row is two lines, the header does not stand before it. */
  plain?: boolean;
  /** What an export writes, under the header or under several of its own; a column without it is not exported. */
  csv?: CsvColumn<Row>["value"] | readonly CsvColumn<Row>[];
  /** What the server calls it in `sort`. */
  sort?: string;
  /** Shown once the person chooses it. */
  optional?: boolean;
};

/** What an export of these columns has. */
export function exportedOf<Row>(columns: readonly Column<Row>[]): CsvColumn<Row>[] {
  return columns.flatMap(({ header, csv = [] }) =>
    typeof csv === "function" ? [{ header, value: csv }] : csv,
  );
}
