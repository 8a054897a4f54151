"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { RowTable } from "#app/(console)/database/tables/[table]/row-table.tsx";
import { Structure } from "#app/(console)/database/tables/[table]/structure.tsx";
import { keyOf, type Row, typed, useRows } from "#app/(console)/database/tables/[table]/use-rows.ts";
import { useDatabase } from "#app/(console)/database/use-database.ts";
import { routes } from "#components/routes.ts";
import { LoadMore } from "#components/table/pagination.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Section } from "#components/ui/section.tsx";
import { toast } from "#components/ui/toast.tsx";

/** A table's rows, changed where they stand, and how it is made. */
export function TableBrowser({ name, mayWrite }: { name: string; mayWrite: boolean }) {
  const { database } = useDatabase();
  const table = database?.tables.find((each) => each.name === name);
  const rows = useRows(table);
  const [deleting, setDeleting] = useState<Row>();
  const act = useMutation(
    useTRPC().databases.actions.mutationOptions({
      async onSuccess() {
        setDeleting(undefined);
        await rows.refresh();
      },
    }),
  );
  if (database?.status === "ready" && !table)
    return (
      <EmptyState
        title={`No table ${name}`}
        action={<TextLink href={routes.database.tables()}>All tables</TextLink>}
      >
        It was dropped or renamed meanwhile.
      </EmptyState>
    );
  if (!table) return null;
  const editable = mayWrite && table.primaryKey.length > 0;
  const where = (row: Row) => keyOf(table, row);

  function save(row: Row, column: string, type: string, text: string | null) {
    const set = { [column]: text === null ? null : typed(type, text) };
    act.mutate(
      { actions: [{ type: "rows.update", table: name, set, where: where(row) }] },
      { onSuccess: () => toast(`${column} is changed.`) },
    );
  }

  return (
    <>
      <Section
        title={name}
        description={
          editable
            ? "Double-click a value, or press Enter on it, to change it. Then Enter saves it, Alt with Enter saves null, and Esc leaves it as it was."
            : "Without a primary key a row can't be named, so it is changed under SQL only."
        }
        action={
          mayWrite && (
            <ButtonLink variant="primary" href={routes.database.insert(name)}>
              New row
            </ButtonLink>
          )
        }
      >
        <ErrorNotice what="The rows could not be read." error={rows.error} />
        <ErrorNotice what="Nothing was changed." error={deleting ? null : act.error} />
        {rows.rows && (
          <RowTable
            table={table}
            rows={rows.rows}
            onSave={editable ? save : undefined}
            onDelete={editable ? setDeleting : undefined}
          />
        )}
        <LoadMore
          more={rows.hasNextPage}
          pending={rows.isFetchingNextPage}
          onLoad={() => rows.fetchNextPage()}
        />
      </Section>
      <Structure table={table} />
      <ConfirmDialog
        open={deleting !== undefined}
        onOpenChange={(open) => !open && setDeleting(undefined)}
        title={`Delete a row of ${name}?`}
        action="Delete row"
        danger
        pending={act.isPending}
        error={act.error}
        onConfirm={() =>
          deleting && act.mutate({ actions: [{ type: "rows.delete", table: name, where: where(deleting) }] })
        }
      >
        The row with {deleting && words(where(deleting))} is deleted for good.
      </ConfirmDialog>
    </>
  );
}

const words = (key: Record<string, unknown>) =>
  Object.entries(key)
    .map(([column, value]) => `${column} ${String(value)}`)
    .join(", ");
