"use client";

import type { ViewColumn } from "#components/table/column.ts";
import { ExportIcon } from "#components/table/export-csv.tsx";
import type { exporting } from "#components/table/exporting.ts";
import type { TableView } from "#components/table/use-list.ts";
import { ViewButton } from "#components/table/view-button.tsx";

type Props = { view: TableView; columns: readonly ViewColumn[]; start?: ReturnType<typeof exporting> };

/** The buttons for a list as a whole. */
export function ListTools({ view, columns, start }: Props) {
  return (
    <>
      {start && <ExportIcon start={start} />}
      <ViewButton view={view} columns={columns} />
    </>
  );
}
