"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { CsvTable } from "#app/(console)/database/tables/[table]/csv-table.ts";
import type { CsvFault } from "#app/(console)/database/tables/[table]/parse-csv.ts";
import type { Table } from "#app/(console)/database/tables/[table]/row-query.ts";
import { useDatabase } from "#app/(console)/database/use-database.ts";
import { routes } from "#components/routes.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { useCloseTo } from "#components/ui/close-side-modal.ts";
import { inDigits } from "#components/ui/digits.ts";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Scrolling } from "#components/ui/scrolling.tsx";
import { SideModal } from "#components/ui/side-modal.tsx";
import { toast } from "#components/ui/toast.tsx";

const SHOWN = 10;

/** Imports a file's rows into a table: checks and shows them, then inserts all of them or none. */
export function ImportCsv({ name }: { name: string }) {
  const table = useDatabase().database?.tables.find((each) => each.name === name);
  return table ? <CsvImport table={table} /> : null;
}

function CsvImport({ table }: { table: Table }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const parent = routes.database.table(table.name);
  const close = useCloseTo(parent);
  const [file, setFile] = useState<File>();
  const check = useMutation({
    async mutationFn(chosen: File) {
      const { checkCsv } = await import("#app/(console)/database/tables/[table]/check-csv.ts");
      return checkCsv(client, table, chosen);
    },
  });
  const checked = check.data;
  const ready = checked?.table && checked.faults.length === 0 ? checked.table : null;
  const insert = useMutation({
    async mutationFn(rows: CsvTable) {
      const { insertOf } = await import("#app/(console)/database/tables/[table]/csv-table.ts");
      return client.databases.actions.mutate({ actions: [insertOf(table.name, rows)] });
    },
    async onSuccess(_, { rows }) {
      await queries.invalidateQueries({ queryKey: trpc.databases.query.mutationKey() });
      await queries.invalidateQueries(trpc.databases.account.read.queryFilter());
      toast(`${rowsOf(rows.length)} ${rows.length === 1 ? "is" : "are"} imported.`);
      close();
    },
  });

  function choose(chosen: File | undefined) {
    setFile(chosen);
    insert.reset();
    if (chosen) check.mutate(chosen);
    else check.reset();
  }

  return (
    <SideModal
      title={`Import CSV into ${table.name}`}
      description="The first line names the columns. An empty value is null, an empty one in quotes an empty text; columns that the file lacks get their default. All rows are imported or none."
      parent={parent}
      wide
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          {file && !ready && (
            <Button pending={check.isPending} onClick={() => check.mutate(file)}>
              Check again
            </Button>
          )}
          <Button
            variant="primary"
            disabled={!ready}
            pending={insert.isPending}
            onClick={() => ready && insert.mutate(ready)}
          >
            {ready ? `Import ${rowsOf(ready.rows.length)}` : "Import rows"}
          </Button>
        </>
      }
    >
      <input
        type="file"
        accept=".csv,.tsv,text/csv"
        aria-label="CSV file"
        className="min-w-0 max-w-full text-13 file:mr-3 file:h-8 file:rounded-md file:border file:border-line-strong file:bg-canvas file:px-3 file:font-medium file:text-14 file:text-ink hover:file:bg-hover"
        onChange={(event) => choose(event.target.files?.[0])}
      />
      <p role="status" className="text-13">
        {check.isPending && "Checking each value against its column, and trying the import…"}
        {ready &&
          `Tried and rolled back: ${rowsOf(ready.rows.length)} can be imported. Seen below are the first.`}
      </p>
      <ErrorNotice what="The file could not be checked." error={check.error} />
      <ErrorNotice what="Nothing was imported." error={insert.error} />
      {checked && checked.faults.length > 0 && <Faults faults={checked.faults} />}
      {checked?.table && <Preview table={checked.table} />}
    </SideModal>
  );
}

const rowsOf = (count: number) => `${inDigits(count)} ${count === 1 ? "row" : "rows"}`;

function Faults({ faults }: { faults: readonly CsvFault[] }) {
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-md border border-bad/40 bg-bad-soft p-3 text-13">
      <p className="font-medium">The file can't be imported as it is; nothing was changed.</p>
      <ul className="list-inside list-disc break-words">
        {faults.map((fault) => (
          <li key={`${fault.line} ${fault.column} ${fault.message}`}>
            Line {fault.line}
            {fault.column !== null && `, column ${fault.column}`}: {fault.message}
          </li>
        ))}
      </ul>
    </div>
  );
}

const head = "sticky top-0 border-b bg-sunken px-3 py-1.5 text-left font-medium text-12 text-muted";

function Preview({ table: { columns, rows } }: { table: CsvTable }) {
  return (
    <Scrolling label="Preview" className="max-h-96 shrink-0 rounded-md border">
      <table aria-label="Preview" className="w-full border-separate border-spacing-0 text-13">
        <thead>
          <tr>
            <th scope="col" className={head}>
              Line
            </th>
            {columns.map(({ name, type }) => (
              <th key={name} scope="col" className={`${head} whitespace-nowrap`}>
                {name} <span className="font-mono font-normal">{type}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN).map(({ line, cells }) => (
            <tr key={line}>
              <td className="border-b px-3 py-1.5 text-muted tabular-nums">{line}</td>
              {columns.map(({ name }, place) => (
                <td key={name} className="max-w-60 truncate border-b px-3 py-1.5 font-mono">
                  {cells[place] ?? <span className="text-muted italic">null</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}
