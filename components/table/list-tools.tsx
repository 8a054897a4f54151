"use client";

import { SlidersHorizontal } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { ViewColumn } from "#components/table/column.ts";
import { ExportIcon } from "#components/table/export-csv.tsx";
import type { exporting } from "#components/table/exporting.ts";
import type { TableView } from "#components/table/use-list.ts";
import { IconButton } from "#components/ui/icon-button.tsx";

const ViewDialog = lazy(() =>
  import("#components/table/view-dialog.tsx").then(({ ViewDialog }) => ({ default: ViewDialog })),
);

/** Opens the dialog that chooses columns, density and order. */
function ViewButton({ view, columns }: { view: TableView; columns: readonly ViewColumn[] }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton icon={SlidersHorizontal} label="Columns" onClick={() => setOpen(true)} />
      {open && (
        <Suspense>
          <ViewDialog view={view} columns={columns} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

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
