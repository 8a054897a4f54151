import type { ReactNode } from "react";
import type { CsvColumn } from "#components/table/csv.ts";

/**
 * A column of a table, at module level: `const columns: Column<Project>[] = [{ header: "Name", cell: (p) => p.name },
 * …]`. The first column is the row's link and must be plain text. The server sorts, filters and pages.
 */
export type Column<Row> = {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Aligns numbers and amounts to the end. */
  align?: "end";
  /** A CSS width, such as `8rem`; columns without one share the rest evenly. */
  width?: string;
  /** True if only screen readers get the header, because the cells need no explanation. */
  quiet?: boolean;
  /**
   * True if the column is hidden in tables narrower than 896 px, and in two-line rows that have a page of their own.
   */
  minor?: boolean;
  /** True if the cell is always fully visible at the end of a two-line row's second line. */
  kept?: boolean;
  /** True if two-line rows show the cell without its header, because the cell needs no explanation. */
  plain?: boolean;
  /**
   * The exported value, under the header or under several headers of its own; without it the column is not exported.
   */
  csv?: CsvColumn<Row>["value"] | readonly CsvColumn<Row>[];
  /** The column's name in the query field `sort`, or in the address where the browser sorts by the exported number. */
  sort?: string;
  /** True if the column is hidden until a person chooses it. */
  optional?: boolean;
};

/** The properties of a column that the view dialog shows. */
export type ViewColumn = Pick<Column<never>, "header" | "optional" | "sort">;

/** Returns the columns of an export. */
export function exportedOf<Row>(columns: readonly Column<Row>[]): CsvColumn<Row>[] {
  return columns.flatMap(({ header, csv = [] }) =>
    typeof csv === "function" ? [{ header, value: csv }] : csv,
  );
}
