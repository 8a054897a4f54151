"use client";

import type { View } from "#app/(console)/database/tables/[table]/row-query.ts";
import { Checkbox } from "#components/ui/checkbox.tsx";

/** Chooses the columns that are read and shown; this browser keeps them per person. */
export function ColumnChoice({
  view: { table, hidden },
  onHide,
}: {
  view: View;
  onHide: (hidden: readonly string[]) => void;
}) {
  const { columns } = table;
  return (
    <details className="relative">
      <summary className="flex h-8 cursor-pointer list-none items-center rounded-md border border-line-strong/60 px-3 font-medium text-14 hover:bg-hover">
        Columns{hidden.length > 0 && ` (${columns.length - hidden.length} of ${columns.length})`}
      </summary>
      <div className="absolute left-0 z-30 mt-1 max-h-80 w-60 max-w-[80vw] overflow-y-auto rounded-md border bg-raised p-2 shadow-float">
        {columns.map(({ name }) => {
          const isShown = !hidden.includes(name);
          return (
            <Checkbox
              key={name}
              label={`Show ${name}`}
              checked={isShown}
              // The last shown column cannot be hidden.
              disabled={isShown && hidden.length === columns.length - 1}
              onChange={() => onHide(isShown ? [...hidden, name] : hidden.filter((other) => other !== name))}
            />
          );
        })}
      </div>
    </details>
  );
}
