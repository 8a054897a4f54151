"use client";

import { lazy, type ReactNode, Suspense } from "react";
import type { Selection } from "#components/table/use-selection.ts";

/** An action on the selected rows. */
type Action<Row> = {
  /** `Archive`: the buttons and the dialog's title begin with it. */
  verb: string;
  /** Their beginning in front of a number of rows, if it is not the verb: `Change role of`. */
  label?: string;
  danger?: boolean;
  /** True if the action can be executed on the row; by default it can on every row. */
  fits?: (row: Row) => boolean;
  /** The consequence for each row, and further fields that the action needs. */
  text: ReactNode;
  act: (row: Row) => Promise<unknown>;
};

// Loaded with the first selected row.
const ManyBar = lazy(() =>
  import("#components/table/many-bar.tsx").then(({ ManyBar }) => ({ default: ManyBar })),
);

/** Offers actions on the selected rows, in a bar above the list; a dialog asks first, and then shows each row's result. */
export function Many<Row>({
  selection,
  counted,
  noteOf,
  actions,
  refresh,
}: {
  selection: Selection<Row>;
  /** Returns a number of rows in words: `3 files`. */
  counted: (count: number) => string;
  /** Returns a note that distinguishes a row from others with the same name. */
  noteOf?: (row: Row) => ReactNode;
  actions: readonly Action<Row>[];
  /** Reads the list again. */
  refresh: () => Promise<unknown>;
}) {
  if (selection.chosen.size === 0) return null;
  const bulkActions = actions.map(({ verb, label = verb, danger = false, text, fits = () => true, act }) => ({
    verb,
    label,
    danger,
    text,
    items: [...selection.chosen]
      .filter(([, row]) => selection.fits(row) && fits(row))
      .map(([id, row]) => ({ id, name: selection.nameOf(row), note: noteOf?.(row), act: () => act(row) })),
  }));
  return (
    <Suspense>
      <ManyBar selection={selection} counted={counted} actions={bulkActions} refresh={refresh} />
    </Suspense>
  );
}

/** `countedBy("file")(2)` returns `2 files`. */
export const countedBy =
  (one: string, many = `${one}s`) =>
  (count: number) =>
    `${count} ${count === 1 ? one : many}`;
