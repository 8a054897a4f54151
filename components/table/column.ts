import type { ReactNode } from "react";

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
  /** Left out where the table has less than 896 px but is still a table. */
  minor?: boolean;
};
