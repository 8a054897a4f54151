"use client";

import { useState } from "react";
import { ColumnChoice } from "#app/(console)/database/tables/[table]/column-choice.tsx";
import type { ReviewChangesProps } from "#app/(console)/database/tables/[table]/review-changes.tsx";
import { RowFilters } from "#app/(console)/database/tables/[table]/row-filters.tsx";
import { relationOf, type Table } from "#app/(console)/database/tables/[table]/row-query.ts";
import type { RowTableProps } from "#app/(console)/database/tables/[table]/row-table.tsx";
import type { RowToolsProps } from "#app/(console)/database/tables/[table]/row-tools.tsx";
import { useRows } from "#app/(console)/database/tables/[table]/use-rows.ts";
import {
  changesOf,
  idOf,
  MAX_CHANGES,
  useStaged,
} from "#app/(console)/database/tables/[table]/use-staged.ts";
import { useView } from "#app/(console)/database/tables/[table]/use-view.ts";
import { useDatabase } from "#app/(console)/database/use-database.ts";
import { routes } from "#components/routes.ts";
import { LoadMore } from "#components/table/pagination.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { inBrowser } from "#components/ui/in-browser.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Section } from "#components/ui/section.tsx";
import { useTyped } from "#components/ui/typed.ts";

// These load while the rows are being read.
const RowTable = inBrowser<RowTableProps>(() =>
  import("#app/(console)/database/tables/[table]/row-table.tsx").then(({ RowTable }) => RowTable),
);
const RowTools = inBrowser<RowToolsProps>(() =>
  import("#app/(console)/database/tables/[table]/row-tools.tsx").then(({ RowTools }) => RowTools),
);
const Structure = inBrowser<{ table: Table }>(() =>
  import("#app/(console)/database/tables/[table]/structure.tsx").then(({ Structure }) => Structure),
);
const ReviewChanges = inBrowser<ReviewChangesProps>(() =>
  import("#app/(console)/database/tables/[table]/review-changes.tsx").then(
    ({ ReviewChanges }) => ReviewChanges,
  ),
);

/** Shows the rows and the structure of a table or view. Changes are staged, reviewed, and applied together. */
export function TableBrowser({ name, mayWrite }: { name: string; mayWrite: boolean }) {
  const { database } = useDatabase();
  const table = database && relationOf(database, name);
  const isView = database?.tables.every((each) => each.name !== name) ?? false;
  const { view, set, hide } = useView(table);
  const rows = useRows(view);
  const changes = useStaged();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [reviewing, setReviewing] = useState(false);
  const { size } = changes.staged;
  useTyped(size > 0);
  if (database?.status === "ready" && !table)
    return (
      <EmptyState
        title={`No table ${name}`}
        action={<TextLink href={routes.database.tables()}>All tables</TextLink>}
      >
        It was dropped or renamed meanwhile.
      </EmptyState>
    );
  if (!table || !view) return null;
  const { shownView } = rows;
  const chosenRows = shownView ? (rows.rows?.filter((row) => chosen.has(idOf(shownView, row))) ?? []) : [];
  const editable = mayWrite && table.primaryKey.length > 0;

  /** Changes the view and clears the selection, because other rows are shown then. */
  function look(change: Parameters<typeof set>[0]) {
    setChosen(new Set());
    set(change);
  }

  const editing = editable &&
    shownView && {
      staged: changes.staged,
      chosen,
      onChoose: (ids: readonly string[], on: boolean) =>
        setChosen(new Set(on ? [...chosen, ...ids] : [...chosen].filter((id) => !ids.includes(id)))),
      onEdit: (row: unknown[], column: string, text: string | null) =>
        changes.edit(shownView, [row], column, text),
      onDelete: (row: unknown[]) => changes.remove(shownView, [row]),
      onUndo: (row: unknown[]) => changes.undo(shownView, row),
    };

  function deleteChosen() {
    if (shownView) changes.remove(shownView, chosenRows);
    setChosen(new Set());
  }

  return (
    <>
      <Section
        title={name}
        description={descriptionOf(editable, isView, mayWrite)}
        action={
          mayWrite &&
          !isView && (
            <div className="flex flex-wrap gap-2">
              <ButtonLink href={routes.database.importCsv(name)}>Import CSV</ButtonLink>
              <ButtonLink variant="primary" href={routes.database.insert(name)}>
                New row
              </ButtonLink>
            </div>
          )
        }
      >
        <div className="flex flex-wrap items-start gap-2">
          <RowFilters view={view} onChange={(filters) => look({ filters })} />
          <ColumnChoice
            view={view}
            onHide={(hidden) => {
              setChosen(new Set());
              hide(hidden);
            }}
          />
          <div className="flex min-h-8 flex-wrap items-center gap-2 sm:ml-auto">
            <RowTools view={view} rows={rows} />
          </div>
        </div>
        <ErrorNotice what="The rows could not be read." error={rows.error} />
        {(size > 0 || chosenRows.length > 0) && (
          <div
            role="toolbar"
            aria-label="Changes of rows"
            className="sticky top-14 z-30 flex flex-wrap items-center gap-2 rounded-md border bg-raised px-3 py-2 text-13 shadow-float"
          >
            <span role="status" className="mr-2 font-medium">
              {size > 0 ? `${changesOf(size)}, not made yet` : `${chosenRows.length} chosen`}
            </span>
            {chosenRows.length > 0 && (
              <Button size="sm" onClick={deleteChosen}>
                Delete chosen rows
              </Button>
            )}
            {size > 0 && (
              <>
                <Button
                  size="sm"
                  variant="primary"
                  disabled={size > MAX_CHANGES}
                  onClick={() => setReviewing(true)}
                >
                  Review changes
                </Button>
                <Button size="sm" variant="ghost" onClick={changes.clear}>
                  Discard changes
                </Button>
              </>
            )}
            {size > MAX_CHANGES && <span>At most {MAX_CHANGES} are made together.</span>}
          </div>
        )}
        {rows.rows && shownView && !rows.isError && (
          <RowTable
            view={shownView}
            rows={rows.rows}
            sort={view.sort}
            editing={editing || undefined}
            onSort={(sort) => look({ sort })}
          />
        )}
        <LoadMore
          more={rows.hasNextPage}
          pending={rows.isFetchingNextPage}
          onLoad={() => rows.fetchNextPage()}
        />
      </Section>
      <Structure table={table} />
      {reviewing && size > 0 && (
        <ReviewChanges
          table={table}
          staged={changes.staged}
          onClose={() => setReviewing(false)}
          onDrop={(id) => {
            changes.drop(id);
            void rows.refresh();
          }}
          onApplied={async () => {
            setReviewing(false);
            changes.clear();
            setChosen(new Set());
            await rows.refresh();
          }}
        />
      )}
    </>
  );
}

function descriptionOf(editable: boolean, isView: boolean, mayWrite: boolean): string {
  if (editable)
    return "Double-click a value, or press Enter on it, to change it. Then Enter, or leaving it, takes it, Alt with Enter takes null, and Esc leaves it as it was. Changes are made when you have reviewed them.";
  if (isView) return "A view: its rows come from tables, and are changed there.";
  if (!mayWrite) return "Your role reads rows, and changes none.";
  return "Without a primary key a row can't be named, so it is changed under SQL only.";
}
