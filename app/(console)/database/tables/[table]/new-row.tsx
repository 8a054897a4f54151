"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { atColumn } from "#app/(console)/database/tables/[table]/at-column.ts";
import { type Table, typed } from "#app/(console)/database/tables/[table]/row-query.ts";
import { useDatabase } from "#app/(console)/database/use-database.ts";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { useCloseTo } from "#components/ui/close-side-modal.ts";
import { toast } from "#components/ui/toast.tsx";

/** Inserts a row; an empty field gets the column's default. */
export function NewRow({ name }: { name: string }) {
  const table = useDatabase().database?.tables.find((each) => each.name === name);
  return table ? <RowForm table={table} /> : null;
}

function RowForm({ table: { name, columns } }: { table: Table }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const close = useCloseTo(routes.database.table(name));
  const insert = useMutation(
    trpc.databases.actions.mutationOptions({
      async onSuccess() {
        await queries.invalidateQueries({ queryKey: trpc.databases.query.mutationKey() });
        toast("The row is inserted.");
        close();
      },
    }),
  );
  // The form focuses a fault once for each error.
  const error = useMemo(() => atColumn(insert.error, columns), [insert.error, columns]);
  const form = useForm({
    schema: () => import("#server/databases/schema.ts").then(({ Actions }) => Actions),
    initial: Object.fromEntries(columns.map((column) => [column.name, ""])) as Record<string, string>,
    toInput: (values) => ({
      actions: [
        {
          type: "rows.insert" as const,
          table: name,
          rows: [
            Object.fromEntries(
              columns.flatMap((column) => {
                const text = values[column.name];
                return text ? [[column.name, typed(column.type, text)]] : [];
              }),
            ),
          ],
        },
      ],
    }),
  });
  return (
    <SideModalForm
      title={`New row in ${name}`}
      description="Empty fields get the column's default."
      parent={routes.database.table(name)}
      submitLabel="Insert row"
      form={form}
      pending={insert.isPending}
      error={error}
      failed="The row was not inserted."
      onSubmit={(input) => insert.mutate(input)}
    >
      {columns.map((column) => (
        <TextField
          key={column.name}
          label={column.name}
          optional={column.nullable || column.default !== null}
          hint={`${column.type}${column.default === null ? "" : `, by default ${column.default}`}`}
          {...form.field(column.name)}
        />
      ))}
    </SideModalForm>
  );
}
