"use client";

import { type ReactNode, useEffect, useEffectEvent } from "react";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { NoMatches } from "#components/table/filter-bar.tsx";
import { ListBar } from "#components/table/list-bar.tsx";
import { Pagination, type Total, useCursor } from "#components/table/pagination.tsx";
import type { ListState } from "#components/table/use-list.ts";
import type { Selection } from "#components/table/use-selection.ts";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import type { MenuItem } from "#components/ui/menu-item.ts";
import type { Option } from "#components/ui/select.tsx";

type Props<Row, Asked extends object, Answer> = {
  state: ListState<Asked>;
  /** The name of the table for screen readers: `Projects`. */
  label: string;
  columns: readonly Column<Row>[];
  /** The page that the address selects. */
  list: { data: Answer | undefined; error: unknown; isError: boolean };
  /** The message for a list that could not be loaded. */
  failed: string;
  /** Reads any page, for the export. */
  ask: (query: Asked & { limit: number; cursor: string | undefined }) => Promise<Answer>;
  rowsOf: (answer: Answer) => Row[];
  rowHref?: (row: Row) => string | undefined;
  rowMenu?: (row: Row) => readonly MenuItem[];
  selection?: Selection<Row>;
  /** The choices of filters that are declared without any, by name. */
  options?: Readonly<Record<string, readonly Option[]>>;
  /** Shown instead of rows if the list is empty. */
  empty: ReactNode;
  /** Shown instead of rows if a page is empty but older rows may follow. */
  emptyPage?: ReactNode;
  /** True if rows are read page by page; a live list shows the newest page only. */
  paged?: boolean;
  /** Content between the bar and the table. */
  children?: ReactNode;
};

/** Shows a declared list: its bar, its error, its table and its pages. `components/README.md` has a whole page. */
export function ListTable<
  Row extends { id: string },
  Asked extends object,
  Answer extends { nextCursor: string | null; total?: Total | undefined },
>({
  state,
  columns,
  list: { data, error, isError },
  failed,
  ask,
  rowsOf,
  options,
  empty,
  emptyPage,
  paged = true,
  children,
  ...table
}: Props<Row, Asked, Answer>) {
  const nextCursor = data?.nextCursor ?? null;
  // An action is offered for what the selected rows are now: a run may have ended since.
  const renew = useEffectEvent((answer: Answer) => table.selection?.renew(rowsOf(answer)));
  useEffect(() => {
    if (data) renew(data);
  }, [data]);
  // The rows of a later page may be gone meanwhile, while the list itself has some.
  const isLater = useCursor() !== undefined && paged;
  const none = state.filters.active ? <NoMatches filters={state.filters} /> : empty;
  const gone = <p className="px-4 py-10 text-muted sm:text-center">Nothing is left on this page.</p>;
  return (
    <>
      <ListBar
        state={state}
        columns={columns}
        options={options}
        page={async (query) => {
          const answer = await ask(query);
          return { rows: rowsOf(answer), nextCursor: answer.nextCursor };
        }}
      />
      <ErrorNotice what={failed} error={error} />
      {children}
      <DataTable
        {...table}
        columns={columns}
        rows={data && rowsOf(data)}
        failed={isError}
        rowId={({ id }) => id}
        view={state.view}
        empty={nextCursor && emptyPage ? emptyPage : isLater ? gone : none}
        footer={paged && <Pagination nextCursor={nextCursor} total={data?.total} />}
      />
    </>
  );
}
