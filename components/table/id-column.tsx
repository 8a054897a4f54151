import type { Column } from "#components/table/column.ts";
import { Copyable } from "#components/ui/copyable.tsx";

/** The id of a row: in exports, and for people who switch it on. */
export const idColumn: Column<{ id: string }> = {
  header: "Id",
  cell: ({ id }) => <Copyable value={id} />,
  csv: ({ id }) => id,
  optional: true,
  width: "12rem",
};
