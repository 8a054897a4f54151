"use client";

import { useState } from "react";
import {
  keyOf,
  type Row,
  typed,
  type View,
  valueAt,
} from "#app/(console)/database/tables/[table]/row-query.ts";
import { inDigits } from "#components/ui/digits.ts";

/** The maximum of actions in one call. */
export const MAX_CHANGES = 1000;

/** A staged change of a row: new values of some columns, or its deletion. */
export type StagedRow = {
  /** The row's primary key. */
  key: Record<string, unknown>;
  /** The version that was read; if it differs later, somebody has changed the row. */
  version: unknown;
  set: Record<string, string | null>;
  before: Record<string, unknown>;
  deleted: boolean;
};

export type Staged = ReadonlyMap<string, StagedRow>;

/** Identifies a row of a table with a primary key, wherever it is listed. */
export const idOf = (view: View, row: Row) => JSON.stringify(keyOf(view, row));

export const stagedOf = (staged: Staged, view: View, row: Row) => staged.get(idOf(view, row));

export const changesOf = (count: number) => `${inDigits(count)} ${count === 1 ? "change" : "changes"}`;

export const wordsOf = (key: Record<string, unknown>) =>
  Object.entries(key)
    .map(([column, value]) => `${column} ${String(value)}`)
    .join(", ");

/** Returns the staged changes of rows, and functions that edit them. */
export function useStaged() {
  const [staged, setStaged] = useState<Staged>(new Map());

  function put(view: View, rows: readonly Row[], change: (entry: StagedRow, row: Row) => StagedRow) {
    setStaged((current) => {
      const next = new Map(current);
      for (const row of rows) {
        const id = idOf(view, row);
        const empty = {
          key: keyOf(view, row),
          version: valueAt(view, row, "xmin"),
          set: {},
          before: {},
          deleted: false,
        };
        const entry = change(next.get(id) ?? empty, row);
        if (entry.deleted || Object.keys(entry.set).length > 0) next.set(id, entry);
        else next.delete(id);
      }
      return next;
    });
  }

  return {
    staged,
    /** Stages a column's new value; null for NULL. */
    edit: (view: View, rows: readonly Row[], column: string, text: string | null) =>
      put(view, rows, (entry, row) => ({
        ...entry,
        set: { ...entry.set, [column]: text },
        before: { ...entry.before, [column]: valueAt(view, row, column) },
      })),
    remove: (view: View, rows: readonly Row[]) => put(view, rows, (entry) => ({ ...entry, deleted: true })),
    undo: (view: View, row: Row) => put(view, [row], (entry) => ({ ...entry, set: {}, deleted: false })),
    drop: (id: string) => setStaged((current) => new Map([...current].filter(([each]) => each !== id))),
    clear: () => setStaged(new Map()),
  };
}

/** Returns the actions that apply the changes, each to exactly one row in the version that was read. */
export function actionsOf({ name, columns }: View["table"], staged: Staged) {
  const typeOf = (column: string) => columns.find((each) => each.name === column)?.type ?? "text";
  return [...staged.values()].map(({ key, version, set, deleted }) => {
    const where = { ...key, xmin: version };
    if (deleted) return { type: "rows.delete" as const, table: name, where, expectedRows: 1 };
    const values = Object.fromEntries(
      Object.entries(set).map(([column, text]) => [
        column,
        text === null ? null : typed(typeOf(column), text),
      ]),
    );
    return { type: "rows.update" as const, table: name, set: values, where, expectedRows: 1 };
  });
}
