"use client";

import { useState } from "react";

/** The selected rows, across all pages that were visited. */
export type Selection<Row> = {
  chosen: ReadonlyMap<string, Row>;
  choose: (rows: readonly Row[], on: boolean) => void;
  clear: () => void;
  /** Deselects the rows with these ids. */
  drop: (ids: readonly string[]) => void;
  /** Replaces the selected rows among these, which were read again. */
  renew: (rows: readonly Row[]) => void;
  /** Returns the row's accessible name. */
  nameOf: (row: Row) => string;
  /** True if the row can be selected; by default every row can. */
  fits: (row: Row) => boolean;
};

/**
 * Rows selected for an action: `const selection = useSelection({ idOf, nameOf })`, for `DataTable` and `SelectionBar`.
 */
export function useSelection<Row>({
  idOf,
  nameOf,
  fits = () => true,
}: {
  idOf: (row: Row) => string;
  nameOf: (row: Row) => string;
  fits?: (row: Row) => boolean;
}): Selection<Row> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map());
  return {
    chosen,
    nameOf,
    fits,
    clear: () => setChosen(new Map()),
    drop: (ids) => setChosen((before) => new Map([...before].filter(([id]) => !ids.includes(id)))),
    renew: (rows) =>
      setChosen((before) => {
        const renewed = rows.filter((row) => before.has(idOf(row)) && before.get(idOf(row)) !== row);
        if (renewed.length === 0) return before;
        const after = new Map(before);
        for (const row of renewed) after.set(idOf(row), row);
        return after;
      }),
    choose: (rows, on) =>
      setChosen((before) => {
        const after = new Map(before);
        for (const row of rows) {
          if (on) after.set(idOf(row), row);
          else after.delete(idOf(row));
        }
        return after;
      }),
  };
}
