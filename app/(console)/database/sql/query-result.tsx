"use client";

import { lazy, Suspense, useState } from "react";
import { type ResultColumn, ResultTable } from "#app/(console)/database/sql/result-table.tsx";
import { exportedColumns } from "#app/(console)/database/tables/[table]/row-export.ts";
import { ExportCsv } from "#components/table/export-csv.tsx";
import { useTRPCClient } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { inDigits } from "#components/ui/digits.ts";
import { Segments } from "#components/ui/segments.tsx";

type Page = {
  columns: ResultColumn[];
  rows: unknown[];
  rowCount: number;
  nextCursor: string | null;
  durationMs: number;
};

/** The rows that an export reads at once. */
const STEP = 1000;

const ResultChart = lazy(() =>
  import("#app/(console)/database/sql/result-chart.tsx").then(({ ResultChart }) => ({
    default: ResultChart,
  })),
);

const views = [
  { value: "table", label: "Table" },
  { value: "chart", label: "Chart" },
  { value: "json", label: "JSON" },
];

export type QueryResultProps = {
  sql: string;
  /** The first page of this execution. */
  first: Page;
  page: Page;
  /** The number of rows before this page. */
  before: number;
  pending: boolean;
  onNext: (cursor: string) => void;
};

/** Shows a page of a query's rows as a table, chart or JSON; exports all rows as CSV. */
export function QueryResult({ sql, first, page, before, pending, onNext }: QueryResultProps) {
  const client = useTRPCClient();
  const [view, setView] = useState("table");
  const { columns, rowCount, nextCursor, durationMs } = page;
  const rows = page.rows as unknown[][];
  const named = namesOf(columns);

  async function readPage(cursor: string | undefined) {
    const next =
      cursor === undefined ? first : await client.databases.query.mutate({ sql, maxRows: STEP, cursor });
    return { rows: next.rows as unknown[][], nextCursor: next.nextCursor };
  }

  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="text-13 text-muted" role="status">
          {inDigits(rowCount)} {rowCount === 1 ? "row" : "rows"}
          {before > 0 && ` after ${inDigits(before)}`}
          {nextCursor && ", and more,"} in {durationMs} ms
        </p>
        <div className="ml-auto flex flex-wrap items-center gap-2">
          <ExportCsv
            name="result"
            columns={exportedColumns(columns.map(({ type }, place) => ({ name: named[place] ?? "", type })))}
            page={readPage}
            cut={(count) => `The first ${count} rows are exported, as many as one file takes.`}
          />
          <Segments label="View" options={views} value={view} onChange={setView} />
        </div>
      </div>
      {view === "table" && <ResultTable label="Rows" columns={columns} rows={rows} />}
      {view === "chart" && (
        <Suspense>
          <ResultChart key={named.join("\n")} columns={columns} names={named} rows={rows} />
        </Suspense>
      )}
      {view === "json" && <CodeBlock label="JSON" code={toJson(named, rows)} />}
      {nextCursor && (
        <div className="flex flex-wrap items-center gap-3">
          <Button pending={pending} onClick={() => onNext(nextCursor)}>
            Next rows
          </Button>
          <span className="text-12 text-muted">
            The whole result of this execution is kept for 15 minutes; a file takes 10,000 rows of it.
          </span>
        </div>
      )}
    </div>
  );
}

/** Returns unique names, because columns may share a name but an object's properties may not. */
function namesOf(columns: readonly ResultColumn[]): string[] {
  return columns.map(({ name }, place) => {
    const same = columns.slice(0, place).filter((other) => other.name === name).length;
    return same === 0 ? name : `${name} (${same + 1})`;
  });
}

function toJson(names: readonly string[], rows: readonly unknown[][]): string {
  const objects = rows.map((row) => Object.fromEntries(names.map((name, place) => [name, row[place]])));
  return JSON.stringify(objects, null, 2);
}
