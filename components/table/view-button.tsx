"use client";

import { SlidersHorizontal } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { ViewColumn } from "#components/table/column.ts";
import type { TableView } from "#components/table/use-list.ts";
import { IconButton } from "#components/ui/icon-button.tsx";

const ViewDialog = lazy(() =>
  import("#components/table/view-dialog.tsx").then(({ ViewDialog }) => ({ default: ViewDialog })),
);

/** Opens the dialog that chooses columns, density and order. */
export function ViewButton({ view, columns }: { view: TableView; columns: readonly ViewColumn[] }) {
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
