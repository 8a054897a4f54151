"use client";

import { ArrowDown, ArrowUp, ArrowUpRight, RotateCcw, Trash2 } from "lucide-react";
import { type FocusEvent, type KeyboardEvent, useState } from "react";
import { Cell } from "#app/(console)/database/tables/[table]/row-cell.tsx";
import {
  type Row,
  referredBy,
  type Sort,
  shownColumns,
  type View,
  valueAt,
} from "#app/(console)/database/tables/[table]/row-query.ts";
import { idOf, type Staged, stagedOf } from "#app/(console)/database/tables/[table]/use-staged.ts";
import { routes } from "#components/routes.ts";
import { SelectBox } from "#components/table/select-box.tsx";
import { ConsoleLink } from "#components/ui/console-link.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Scrolling } from "#components/ui/scrolling.tsx";

const head =
  "sticky top-0 z-10 border-b bg-sunken px-3 py-1.5 text-left font-medium text-12 text-muted whitespace-nowrap";

const arrows: Record<string, [down: number, right: number]> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** The callbacks for editing rows, which a primary key identifies. */
type Editing = {
  staged: Staged;
  /** The ids of the chosen rows. */
  chosen: ReadonlySet<string>;
  onChoose: (ids: readonly string[], on: boolean) => void;
  onEdit: (row: Row, column: string, text: string | null) => void;
  onDelete: (row: Row) => void;
  onUndo: (row: Row) => void;
};

export type RowTableProps = {
  /** The view that the rows were read for. */
  view: View;
  rows: readonly Row[];
  /** The requested order; the rows may still be in the previous one. */
  sort: Sort | null;
  editing: Editing | undefined;
  onSort: (sort: Sort | null) => void;
};

/**
 * Shows a table's rows as stored; wide tables scroll inside. The arrow keys move between values, and Tab leaves the
 * table.
 */
export function RowTable({ view, rows, sort, editing, onSort }: RowTableProps) {
  const { table } = view;
  const columns = shownColumns(view);
  const first = editing ? 1 : 0;
  const ids = rows.map((row) => idOf(view, row));
  const [[atRow, atColumn], setAt] = useState([0, first]);
  if (rows.length === 0) return <p className="rounded-md border p-4 text-muted">No rows.</p>;
  const tabIndexOf = (row: number, column: number) =>
    row === Math.min(atRow, rows.length - 1) && column === Math.min(atColumn, columns.length + first)
      ? 0
      : -1;

  function focused({ target }: FocusEvent) {
    const cell = target.closest("td");
    if (cell) setAt([(cell.closest("tr")?.rowIndex ?? 1) - 1, cell.cellIndex]);
  }

  function keyed(event: KeyboardEvent<HTMLTableElement>) {
    const arrow = arrows[event.key];
    const { target } = event;
    const cell = (target as Element).closest("td");
    const isTyping = target instanceof HTMLInputElement && target.type !== "checkbox";
    if (!arrow || !cell || isTyping) return;
    const row = event.currentTarget.rows[(cell.closest("tr")?.rowIndex ?? 0) + arrow[0]];
    const next = row?.cells[cell.cellIndex + arrow[1]]?.querySelector<HTMLElement>("button, input");
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  return (
    <Scrolling label="Rows" className="max-h-[32rem] rounded-md border">
      <table
        aria-label={table.name}
        onFocus={focused}
        onKeyDown={keyed}
        className="w-full border-separate border-spacing-0 text-13"
      >
        <thead>
          <tr>
            {editing && (
              <th scope="col" className={head}>
                <SelectBox
                  label="Choose all rows shown"
                  checked={ids.every((id) => editing.chosen.has(id))}
                  some={editing.chosen.size > 0}
                  onChange={(on) => editing.onChoose(ids, on)}
                />
              </th>
            )}
            {columns.map((column) => (
              <Head
                key={column.name}
                column={column}
                isKey={table.primaryKey.includes(column.name)}
                sort={sort}
                onSort={onSort}
              />
            ))}
            {editing && (
              <th scope="col" className={head}>
                <span className="sr-only">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, number) => {
            const staged = editing && stagedOf(editing.staged, view, row);
            const id = editing && ids[number];
            return (
              // Rows without a primary key may be equal.
              <tr key={id ?? number}>
                {editing && id !== undefined && (
                  <td className="border-b px-3">
                    <SelectBox
                      label={`Choose row ${number + 1}`}
                      tabIndex={tabIndexOf(number, 0)}
                      checked={editing.chosen.has(id)}
                      onChange={(on) => editing.onChoose([id], on)}
                    />
                  </td>
                )}
                {columns.map((column, place) => (
                  <td key={column.name} className="max-w-80 border-b px-1 py-0.5 font-mono">
                    <div className="flex items-center">
                      <div className="min-w-0 flex-1">
                        <Cell
                          label={`${column.name} of row ${number + 1}`}
                          value={valueAt(view, row, column.name)}
                          staged={staged?.set[column.name]}
                          deleted={staged?.deleted ?? false}
                          tabIndex={tabIndexOf(number, place + first)}
                          shifts={editing?.staged.size === 0 && editing.chosen.size === 0}
                          onSave={editing && ((text) => editing.onEdit(row, column.name, text))}
                        />
                      </div>
                      <Followed
                        view={view}
                        row={row}
                        column={column.name}
                        label={`Row that ${column.name} of row ${number + 1} refers to`}
                        tabIndex={editing ? tabIndexOf(number, place + first) : 0}
                      />
                    </div>
                  </td>
                ))}
                {editing && (
                  <td className="border-b px-1">
                    <IconButton
                      icon={staged ? RotateCcw : Trash2}
                      label={staged ? `Undo changes of row ${number + 1}` : `Delete row ${number + 1}`}
                      tabIndex={tabIndexOf(number, columns.length + first)}
                      onClick={() => (staged ? editing.onUndo(row) : editing.onDelete(row))}
                    />
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scrolling>
  );
}

function Head({
  column: { name, type },
  isKey,
  sort,
  onSort,
}: {
  column: View["table"]["columns"][number];
  isKey: boolean;
  sort: Sort | null;
  onSort: (sort: Sort | null) => void;
}) {
  const sorted = sort?.column === name ? sort : null;
  const next = !sorted ? { column: name, descending: false } : null;
  const Arrow = sorted?.descending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={sorted ? (sorted.descending ? "descending" : "ascending") : "none"}
      className={head}
    >
      <button
        type="button"
        title="Sorts up, then down, then not"
        className="flex items-center gap-1 rounded-sm hover:text-ink"
        onClick={() => onSort(sorted && !sorted.descending ? { column: name, descending: true } : next)}
      >
        {name} <span className="font-mono font-normal">{type}</span>
        {isKey && " key"}
        {sorted && <Arrow aria-hidden className="size-3" />}
      </button>
    </th>
  );
}

/** Links to the row that this column's foreign key refers to. */
function Followed({
  view,
  row,
  column,
  label,
  tabIndex,
}: {
  view: View;
  row: Row;
  column: string;
  label: string;
  tabIndex: number;
}) {
  const key = view.table.foreignKeys.find(({ columns }) => columns.includes(column));
  const search = key && referredBy(view, row, key);
  if (!key || !search) return null;
  return (
    <ConsoleLink
      href={routes.database.table(key.table, search)}
      prefetch={false}
      aria-label={label}
      title={`Open in ${key.table}`}
      tabIndex={tabIndex}
      className="flex size-6 shrink-0 items-center justify-center rounded-sm text-muted hover:bg-hover hover:text-ink"
    >
      <ArrowUpRight aria-hidden className="size-3.5" />
    </ConsoleLink>
  );
}
