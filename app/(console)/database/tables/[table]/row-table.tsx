"use client";

import { Trash2 } from "lucide-react";
import { type FocusEvent, type KeyboardEvent, useRef, useState } from "react";
import { type Row, shown, type Table } from "#app/(console)/database/tables/[table]/use-rows.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input } from "#components/ui/input.tsx";
import { Scrolling } from "#components/ui/scrolling.tsx";

type Save = (row: Row, column: string, type: string, text: string | null) => void;

const head =
  "sticky top-0 border-b bg-sunken px-3 py-1.5 text-left font-medium text-12 text-muted whitespace-nowrap";

const arrows: Record<string, [down: number, right: number]> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/**
 * A table's rows as they are stored; wide ones scroll inside. A value is edited where it stands. The arrow keys go
 * from value to value, and Tab past all of them.
 */
export function RowTable({
  table,
  rows,
  onSave,
  onDelete,
}: {
  table: Table;
  rows: readonly Row[];
  onSave: Save | undefined;
  onDelete: ((row: Row) => void) | undefined;
}) {
  const { name, columns, primaryKey } = table;
  const [[atRow, atColumn], setAt] = useState([0, 0]);
  if (rows.length === 0) return <p className="rounded-md border p-4 text-muted">No rows.</p>;
  const tabIndexOf = (row: number, column: number) =>
    row === Math.min(atRow, rows.length - 1) && column === atColumn ? 0 : -1;

  function focused({ target }: FocusEvent) {
    const cell = target.closest("td");
    if (cell) setAt([(cell.closest("tr")?.rowIndex ?? 1) - 1, cell.cellIndex]);
  }

  function keyed(event: KeyboardEvent<HTMLTableElement>) {
    const arrow = arrows[event.key];
    const cell = (event.target as Element).closest("td");
    if (!arrow || !cell || event.target instanceof HTMLInputElement) return;
    const row = event.currentTarget.rows[(cell.closest("tr")?.rowIndex ?? 0) + arrow[0]];
    const next = row?.cells[cell.cellIndex + arrow[1]]?.querySelector("button");
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  return (
    <Scrolling label="Rows" className="max-h-[32rem] rounded-md border">
      <table
        aria-label={name}
        onFocus={focused}
        onKeyDown={keyed}
        className="w-full border-separate border-spacing-0 text-13"
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" className={head}>
                {column.name} <span className="font-mono font-normal">{column.type}</span>
                {primaryKey.includes(column.name) && " key"}
              </th>
            ))}
            {onDelete && (
              <th scope="col" className={head}>
                <span className="sr-only">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows without a key may be equal.
            <tr key={number}>
              {columns.map((column, place) => (
                <td key={column.name} className="max-w-80 border-b px-1 py-0.5 font-mono">
                  <Cell
                    label={`${column.name} of row ${number + 1}`}
                    value={row[place]}
                    tabIndex={tabIndexOf(number, place)}
                    onSave={onSave && ((text) => onSave(row, column.name, column.type, text))}
                  />
                </td>
              ))}
              {onDelete && (
                <td className="border-b px-1">
                  <IconButton
                    icon={Trash2}
                    label={`Delete row ${number + 1}`}
                    tabIndex={tabIndexOf(number, columns.length)}
                    onClick={() => onDelete(row)}
                  />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

function Cell({
  label,
  value,
  tabIndex,
  onSave,
}: {
  label: string;
  value: unknown;
  tabIndex: number;
  onSave: ((text: string | null) => void) | undefined;
}) {
  const [draft, setDraft] = useState<string>();
  const leftByKey = useRef(false);
  const text = value === null ? "null" : shown(value);
  const face = value === null ? "text-muted italic" : "";
  /** The field is gone that had it. */
  function takeFocusBack(button: HTMLButtonElement | null) {
    if (!button || !leftByKey.current) return;
    leftByKey.current = false;
    button.focus();
  }

  function leave() {
    leftByKey.current = true;
    setDraft(undefined);
  }

  if (!onSave) return <span className={`block truncate px-2 py-1 ${face}`}>{text}</span>;
  if (draft === undefined)
    return (
      <button
        type="button"
        title={text}
        aria-label={`${label}: ${text}`}
        tabIndex={tabIndex}
        ref={takeFocusBack}
        className={`block w-full scroll-mt-8 truncate rounded-sm px-2 py-1 text-left hover:bg-hover ${face}`}
        onDoubleClick={() => setDraft(value === null ? "" : text)}
        onKeyDown={(event) => event.key === "Enter" && setDraft(value === null ? "" : text)}
      >
        {text}
      </button>
    );

  function keyed(event: KeyboardEvent) {
    if (event.key === "Escape") leave();
    if (event.key !== "Enter") return;
    event.preventDefault();
    // An empty text is a value; with Alt there is none.
    onSave?.(event.altKey ? null : (draft ?? ""));
    leave();
  }
  return (
    <Input
      autoFocus
      aria-label={label}
      title="Enter saves, Alt with Enter saves null, Esc leaves it"
      className="h-7 min-w-40 font-mono"
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => setDraft(undefined)}
      onKeyDown={keyed}
    />
  );
}
