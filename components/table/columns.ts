import {
  type ColumnDef,
  createColumnHelper,
  metaHelper,
  type RowData,
  tableFeatures,
} from "@tanstack/react-table";

export type ColumnMeta = {
  /** Numbers and amounts stand at the end. */
  align?: "end";
  /** A CSS width, such as `8rem`; columns without one share the rest evenly. */
  width?: string;
  /** Left out where the table has less than 896 px. */
  minor?: boolean;
};

/** What our tables can do: rows and cells only. Filtering, sorting and paging are the server's. */
export const features = tableFeatures({ columnMeta: metaHelper<ColumnMeta>() });

export type Features = typeof features;
// biome-ignore lint/suspicious/noExplicitAny: each column has a value type of its own.
export type Columns<Row extends RowData> = ColumnDef<Features, Row, any>[];

/**
 * The builder of a table's columns, at module level:
 * `const column = columnsOf<Project>(); const columns = column.columns([column.accessor("name", { header: "Name" })]);`
 * The first column is the row's link and must be plain text.
 */
export function columnsOf<Row extends RowData>() {
  return createColumnHelper<Features, Row>();
}
