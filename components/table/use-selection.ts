"use client";

import { useState } from "react";

/** The rows that are chosen, over all pages that were looked at. */
export type Selection<Row> = {
  chosen: ReadonlyMap<string, Row>;
  choose: (rows: readonly Row[], on: boolean) => void;
  clear: () => void;
  /** Names a row to those who cannot see it. */
  nameOf: (row: Row) => string;
  /** Whether anything can be done with the row; by default with each. */
  fits: (row: Row) => boolean;
};

/** Rows to do something with at once: `const selection = useSelection({ idOf, nameOf })`, for `DataTable` and `SelectionBar`. */
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
