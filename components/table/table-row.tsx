"use client";

import { ChevronDown, ChevronRight, Ellipsis } from "lucide-react";
import type { KeyboardEvent, ReactNode } from "react";
import type { Column } from "#components/table/column.ts";
import { SelectBox } from "#components/table/select-box.tsx";
import type { Selection } from "#components/table/use-selection.ts";
import { cn } from "#components/ui/cn.ts";
import { ConsoleLink } from "#components/ui/console-link.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Menu } from "#components/ui/menu.tsx";
import type { MenuItem } from "#components/ui/menu-item.ts";
import { plainText } from "#components/ui/plain-name.ts";
import { Skeleton } from "#components/ui/skeleton.tsx";

const rowClass =
  "group relative hover:bg-hover has-[[data-row]:focus-visible]:bg-hover @max-2xl:block @max-2xl:border-b @max-2xl:px-3 @max-2xl:py-2 @max-2xl:last:border-b-0";
// On a phone, a row has two lines: its name, and below it the other cells, truncated. A row without a page of its own
// shows the other cells in full.
const twoLines = "@max-2xl:overflow-hidden @max-2xl:text-ellipsis @max-2xl:whitespace-nowrap";
const edge =
  "@2xl:h-10 @2xl:group-data-dense/table:h-8 @2xl:border-b @2xl:first:border-l @2xl:last:border-r @2xl:group-last:first:rounded-bl-md @2xl:group-last:last:rounded-br-md";
const cellClass = "min-w-0 @2xl:truncate @2xl:px-3 @max-2xl:max-w-full";
const restClass = "@max-2xl:mr-3 @max-2xl:text-12 @max-2xl:last:mr-0";
// Inline, so that a long text is truncated, not left out; an ellipsis hides no positioned element.
const cutClass = "@max-2xl:inline @max-2xl:[&_time]:static";
const wrappedClass = "@max-2xl:inline-block";
// The header precedes a cell that needs an explanation.
const labelledClass =
  "@max-2xl:before:mr-1.5 @max-2xl:before:text-muted @max-2xl:before:content-[attr(data-label)]";
// The cell overlays the end of the second line, so that long text before it does not push it out of view.
const keptClass =
  "@max-2xl:absolute @max-2xl:right-3 @max-2xl:bottom-2.5 @max-2xl:mr-0 @max-2xl:bg-canvas @max-2xl:pl-2 @max-2xl:group-hover:bg-hover @max-2xl:group-has-[[data-row]:focus-visible]:bg-hover";
const nameClass = "@max-2xl:block";

/** A row's place in a tree. */
export type Branch = {
  depth: number;
  /** True if the row's children are shown; null if it has none. */
  open: boolean | null;
  toggle: () => void;
  /** The row's children in words, for the button that shows them: `the 3 keys below Backend`. */
  label: string;
};

/** Returns the classes that a column's header and cells share. */
export function columnClass<Row>({ align, minor }: Column<Row>): string {
  return cn(align === "end" && "@2xl:text-right", minor && "@2xl:@max-4xl:hidden");
}

/** Returns the classes of the cells other than the name, for the second line. */
function restOf<Row>({ minor, quiet, plain, kept }: Column<Row>, linked: boolean, hasMenu: boolean): string {
  // The row's own page or its menu shows the hidden cells.
  if ((minor && linked) || (quiet && hasMenu)) return "@max-2xl:hidden";
  return cn(
    restClass,
    linked ? cutClass : wrappedClass,
    kept && linked && keptClass,
    plain ? "@max-2xl:text-muted" : !quiet && labelledClass,
  );
}

/** Shows a row: its first cell is the link that covers it, its last the menu. */
export function TableRow<Row>({
  row,
  columns,
  href,
  menu,
  branch,
  linked,
  selected,
}: {
  row: Row;
  columns: readonly Column<Row>[];
  href: string | undefined;
  menu: readonly MenuItem[] | undefined;
  branch: Branch | undefined;
  /** True if rows of this table have pages of their own. */
  linked: boolean;
  selected: { id: string; selection: Selection<Row> } | undefined;
}) {
  return (
    <tr
      className={cn(
        rowClass,
        linked && twoLines,
        selected?.selection.chosen.has(selected.id) && "bg-accent-soft",
      )}
    >
      {selected && (
        <td
          className={cn(
            edge,
            "@2xl:px-3 @max-2xl:absolute @max-2xl:top-2.5",
            menu ? "@max-2xl:right-12" : "@max-2xl:right-3",
          )}
        >
          {selected.selection.fits(row) && (
            <SelectBox
              label={`Choose ${selected.selection.nameOf(row)}`}
              checked={selected.selection.chosen.has(selected.id)}
              onChange={(on) => selected.selection.choose([row], on)}
            />
          )}
        </td>
      )}
      {columns.map((column, index) => (
        <td
          key={column.header}
          data-label={column.header}
          className={cn(
            edge,
            cellClass,
            index === 0 ? nameClass : restOf(column, linked, menu !== undefined),
            index === 0 && (selected || menu) && (selected && menu ? "@max-2xl:pr-18" : "@max-2xl:pr-9"),
            columnClass(column),
          )}
        >
          {index === 0 ? (
            <Place branch={branch}>
              <Name href={href}>{plainText(column.cell(row))}</Name>
            </Place>
          ) : (
            <div className="@max-2xl:inline min-w-0 @2xl:truncate">{plainText(column.cell(row))}</div>
          )}
        </td>
      ))}
      {menu && (
        <td className={cn(edge, "px-2 @max-2xl:absolute @max-2xl:top-1 @max-2xl:right-0 @2xl:text-right")}>
          {menu.length > 0 && (
            <Menu
              items={menu}
              trigger={<IconButton icon={Ellipsis} label="Row actions" className="relative z-10" />}
            />
          )}
        </td>
      )}
    </tr>
  );
}

/** Indents the name by its depth, after the button that opens the row; the arrow keys open and close it, too. */
function Place({ branch, children }: { branch: Branch | undefined; children: ReactNode }) {
  if (!branch) return children;
  const { depth, open, toggle, label } = branch;
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== (open ? "ArrowLeft" : "ArrowRight") || open === null) return;
    event.preventDefault();
    toggle();
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the link and the button inside it.
    <div
      onKeyDown={onKeyDown}
      style={{ "--depth": depth }}
      className="flex min-w-0 items-center gap-1 pl-[calc(var(--depth)*0.75rem)] @2xl:pl-[calc(var(--depth)*1.25rem)]"
    >
      {open === null ? (
        <span className="w-6 shrink-0" />
      ) : (
        <IconButton
          icon={open ? ChevronDown : ChevronRight}
          label={`${open ? "Hide" : "Show"} ${label}`}
          aria-expanded={open}
          className="relative z-10 -ml-1"
          onClick={toggle}
        />
      )}
      {children}
    </div>
  );
}

const nameOwn = "block min-w-0 font-medium outline-none";
const nameCover =
  "after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-accent-text focus-visible:after:-outline-offset-2";

function Name({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (!href) {
    return (
      <div data-row tabIndex={-1} className={cn(nameOwn, "break-words @2xl:truncate")}>
        {children}
      </div>
    );
  }
  return (
    <ConsoleLink data-row href={href} prefetch={false} className={cn(nameOwn, "truncate", nameCover)}>
      {children}
    </ConsoleLink>
  );
}

/** Shows a placeholder row of the same shape while the content loads. */
export function SkeletonRow<Row>({
  columns,
  menu,
  box,
}: {
  columns: readonly Column<Row>[];
  menu: boolean;
  box: boolean;
}) {
  return (
    <tr className={rowClass}>
      {box && <td className={cn(edge, "@max-2xl:hidden")} />}
      {columns.map((column) => (
        <td
          key={column.header}
          className={cn(
            edge,
            "@2xl:px-3 @max-2xl:block @max-2xl:py-1 @max-2xl:nth-[n+3]:hidden",
            columnClass(column),
          )}
        >
          <Skeleton className="h-4 w-3/4" />
        </td>
      ))}
      {menu && <td className={cn(edge, "@max-2xl:hidden")} />}
    </tr>
  );
}
