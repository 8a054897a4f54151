import type { QueryClient } from "@tanstack/react-query";
import { type CsvColumn, csvOf, MAX_EXPORTED } from "#components/table/csv.ts";
import { readProblem } from "#components/ui/problem.ts";
import { toast } from "#components/ui/toast.tsx";
import { UNANSWERED } from "#components/unanswered.ts";

export type Export<Row> = {
  /** The file's name, without its extension. */
  name: string;
  columns: readonly CsvColumn<Row>[];
  /** Reads a page of up to a hundred rows that match the filters; `truncated` if there are others that no page has. */
  page: (
    cursor: string | undefined,
  ) => Promise<{ rows: Row[]; nextCursor: string | null; truncated?: boolean }>;
  /** Returns the notice that only so many rows are exported. */
  cut?: (rows: number) => string;
};

const narrower = (rows: number) => `The first ${rows} rows are exported. Narrow the filters for the others.`;

/** After a page without a response, the console checks whether the server can be reached. */
function checkReachable(reason: { data?: unknown }): never {
  if (!reason.data) window.dispatchEvent(new Event(UNANSWERED));
  throw reason;
}

/**
 * Reads page after page and saves all rows as one file; `onRead` gets the number of rows read so far. A page is a query:
 * if it fails, it is repeated, and it waits while the server cannot be reached. If it fails for good, the rows before it
 * are saved as an incomplete file.
 */
export async function exportAll<Row>(
  { name, columns, page, cut = narrower }: Export<Row>,
  queries: QueryClient,
  onRead: (rows: number) => void,
) {
  const rows: Row[] = [];
  // Another export of the same list may have other filters.
  const began = performance.now();
  const read = (cursor: string | undefined) =>
    queries.fetchQuery({
      queryKey: ["export", began, cursor],
      queryFn: () => page(cursor).catch(checkReachable),
      staleTime: 0,
      gcTime: 0,
    });
  try {
    let cursor: string | undefined;
    let truncated = false;
    do {
      const next = await read(cursor);
      rows.push(...next.rows);
      cursor = next.nextCursor ?? undefined;
      truncated = next.truncated ?? false;
      onRead(rows.length);
    } while (cursor !== undefined && rows.length < MAX_EXPORTED);
    save(`${name}.csv`, csvOf(columns, rows));
    if (cursor !== undefined || truncated) toast(cut(rows.length));
  } catch (reason) {
    const { message } = readProblem(reason);
    if (rows.length === 0) return toast(`Nothing was exported. ${message}`, { failed: true });
    const file = `${name}-incomplete.csv`;
    save(file, csvOf(columns, rows));
    toast(`Only the first ${rows.length} rows are exported, to ${file}. ${message}`, { failed: true });
  }
}

function save(name: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
