"use client";

import { type ReactNode, useRef } from "react";
import type { Column } from "#components/table/column.ts";
import { useRowCursor } from "#components/table/row-cursor.ts";
import { SelectBox } from "#components/table/select-box.tsx";
import { type Branch, columnClass, SkeletonRow, TableRow } from "#components/table/table-row.tsx";
import type { TableView } from "#components/table/use-list.ts";
import type { Selection } from "#components/table/use-selection.ts";
import { cn } from "#components/ui/cn.ts";
import type { MenuItem } from "#components/ui/menu-item.ts";

type Props<Row> = {
  /** The name of the table for screen readers: `Projects`. */
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined while they are loading. */
  rows: Row[] | undefined;
  /** True if the rows could not be loaded: then no skeleton is shown. */
  failed?: boolean;
  rowId: (row: Row) => string;
  /** Returns the target of a click on the row, or of Enter; undefined for none. */
  rowHref?: (row: Row) => string | undefined;
  /** Returns the row's actions, shown in a menu at its end. */
  rowMenu?: (row: Row) => readonly MenuItem[];
  /** Returns the row's place in a tree; the children of an open row come next in `rows`. */
  rowBranch?: (row: Row) => Branch;
  /** Gives each row a checkbox, for actions on many rows. */
  selection?: Selection<Row>;
  /** The person's columns, density and order of the list. */
  view?: TableView;
  /** Shown instead of rows: an `EmptyState`, or `NoMatches` if filters are set. */
  empty: ReactNode;
  /** Below the rows: `Pagination` or `LoadMore`. */
  footer?: ReactNode;
};

const loadingRows = ["a", "b", "c", "d", "e", "f"];
const headClass =
  "sticky top-12 z-20 h-8 truncate border-y bg-sunken px-3 text-left font-medium text-12 text-muted first:rounded-tl-md first:border-l last:rounded-tr-md last:border-r";

/**
 * The table of every list: sticky header, rows of 40 px, `j` `k` Enter, a menu per row. If it is narrower than 672 px,
 * each row takes two lines. `components/README.md` shows a whole page.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { label, rows, view, failed, rowId, rowHref, rowMenu, rowBranch, selection, empty, footer } = props;
  // Without a view nobody can have switched on optional columns.
  const columns = view ? view.shown(props.columns) : props.columns.filter(({ optional }) => !optional);
  const ref = useRef<HTMLTableElement>(null);
  useRowCursor(ref);

  if (failed && !rows) return footer;
  if (rows?.length === 0)
    return (
      <div className="min-w-0">
        <div className="rounded-md border">{empty}</div>
        {footer}
      </div>
    );
  return (
    <div className="@container min-w-0">
      {selection && (
        // In place of the header, which only a wide table has.
        // biome-ignore lint/a11y/noLabelWithoutControl: SelectAll is its control.
        <label
          className={cn(
            "flex h-11 items-center justify-end gap-3 text-13 text-muted @2xl:hidden",
            rowMenu ? "pr-12" : "pr-3",
          )}
        >
          Choose all on this page
          {rows && <SelectAll rows={rows} rowId={rowId} selection={selection} />}
        </label>
      )}
      <table
        ref={ref}
        data-cursor
        aria-label={label}
        aria-busy={rows === undefined}
        data-dense={view?.dense || undefined}
        className="group/table w-full border-separate border-spacing-0 text-13 @max-2xl:block @max-2xl:rounded-md @max-2xl:border @2xl:table-fixed"
      >
        <thead className="@max-2xl:hidden">
          <tr>
            {selection && (
              <th scope="col" className={cn(headClass, "w-10 text-clip")}>
                {rows && <SelectAll rows={rows} rowId={rowId} selection={selection} />}
              </th>
            )}
            {columns.map((column) => {
              const look = {
                style: { width: column.width },
                className: cn(headClass, columnClass(column)),
              };
              return view && column.sort ? (
                <view.Head
                  key={column.header}
                  order={view}
                  by={column.sort}
                  header={column.header}
                  {...look}
                />
              ) : (
                <th key={column.header} scope="col" {...look}>
                  {column.quiet ? <span className="sr-only">{column.header}</span> : column.header}
                </th>
              );
            })}
            {rowMenu && (
              <th scope="col" className={cn(headClass, "w-12")}>
                <span className="sr-only">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody className="@max-2xl:block">
          {rows
            ? rows.map((row) => (
                <TableRow
                  key={rowId(row)}
                  row={row}
                  columns={columns}
                  href={rowHref?.(row)}
                  menu={rowMenu?.(row)}
                  branch={rowBranch?.(row)}
                  linked={rowHref !== undefined}
                  selected={selection && { id: rowId(row), selection }}
                />
              ))
            : loadingRows.map((row) => (
                <SkeletonRow
                  key={row}
                  columns={columns}
                  menu={rowMenu !== undefined}
                  box={selection !== undefined}
                />
              ))}
        </tbody>
      </table>
      {footer}
    </div>
  );
}

/** Selects every selectable row of the page. */
function SelectAll<Row>({
  rows,
  rowId,
  selection: { chosen, choose, fits },
}: {
  rows: readonly Row[];
  rowId: (row: Row) => string;
  selection: Selection<Row>;
}) {
  const fitting = rows.filter(fits);
  const there = fitting.filter((row) => chosen.has(rowId(row))).length;
  return (
    <SelectBox
      label="Choose all on this page"
      checked={fitting.length > 0 && there === fitting.length}
      some={there > 0}
      onChange={(on) => choose(fitting, on)}
    />
  );
}
