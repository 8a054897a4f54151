"use client";

import { useQuery } from "@tanstack/react-query";
import type { Step } from "#app/(console)/database/sql/plan-steps.ts";
import { exportedColumns, exportOf } from "#app/(console)/database/tables/[table]/row-export.ts";
import {
  countOf,
  estimateOf,
  type Row,
  type View,
} from "#app/(console)/database/tables/[table]/row-query.ts";
import type { useRows } from "#app/(console)/database/tables/[table]/use-rows.ts";
import { ExportCsv } from "#components/table/export-csv.tsx";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { inDigits } from "#components/ui/digits.ts";
import { readProblem } from "#components/ui/problem.ts";

/** The rows up to which they are counted, and the time that the count may take; then they are estimated. */
const MAX_COUNTED = 10_000;
const COUNT_MS = 1000;

export type RowToolsProps = { view: View; rows: ReturnType<typeof useRows> };

/** Shows how many rows match the filters, and exports them as CSV. */
export function RowTools({ view, rows }: RowToolsProps) {
  const client = useTRPCClient();
  const count = useRowCount(view, rows);
  const all = exportOf(view);
  return (
    <>
      <span role="status" className="text-13 text-muted tabular-nums">
        {count && countText(count)}
      </span>
      <ExportCsv
        name={view.table.name}
        columns={exportedColumns(view.table.columns)}
        // The pages of one execution, so that a change in between shifts no row.
        page={async (cursor) => {
          const { rows, nextCursor } = await client.databases.query.mutate({ ...all, cursor });
          return { rows: rows as Row[], nextCursor };
        }}
      />
    </>
  );
}

type RowCount = { rows: number; isEstimate: boolean };

const countText = ({ rows, isEstimate }: RowCount) =>
  `${isEstimate ? "about " : ""}${inDigits(rows)} ${rows === 1 ? "row" : "rows"}`;

/**
 * Returns the number of rows that match the filters: of the loaded ones if there are no more, otherwise counted, or
 * PostgreSQL's estimate where counting takes too long, and never fewer than are loaded.
 */
function useRowCount(
  view: View,
  { rows: read, hasNextPage, isPlaceholderData }: RowToolsProps["rows"],
): RowCount | undefined {
  const trpc = useTRPC();
  const client = useTRPCClient();
  // While other rows are being read, those on screen are of the previous view.
  const loaded = isPlaceholderData ? undefined : read?.length;
  const hasMore = loaded !== undefined && hasNextPage;

  async function readValue(statement: { sql: string; params: unknown[] }, timeoutMs?: number) {
    const { rows } = await client.databases.query.mutate({ ...statement, timeoutMs });
    return (rows as Row[])[0]?.[0];
  }

  async function count(): Promise<RowCount> {
    let counted = 0;
    try {
      counted = Number(await readValue(countOf(view, MAX_COUNTED + 1), COUNT_MS));
      if (counted <= MAX_COUNTED) return { rows: counted, isEstimate: false };
    } catch (reason) {
      if (readProblem(reason).code !== "query_limit_exceeded") throw reason;
    }
    const [{ Plan }] = (await readValue(estimateOf(view))) as [{ Plan: Step }];
    return { rows: Math.max(Plan["Plan Rows"], counted), isEstimate: true };
  }

  const { data } = useQuery({
    queryKey: [...trpc.databases.query.mutationKey(), "rows", view.table.name, "count", view.filters],
    queryFn: count,
    enabled: hasMore,
    // A count takes up to a second of the database, too long to repeat at every change of it.
    meta: { still: true },
  });
  if (loaded !== undefined && !hasMore) return { rows: loaded, isEstimate: false };
  return data && { ...data, rows: Math.max(data.rows, loaded ?? 0) };
}
