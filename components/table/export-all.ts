import { type CsvColumn, csvOf } from "#components/table/csv.ts";
import { readProblem } from "#components/ui/problem.ts";
import { toast } from "#components/ui/toast.tsx";

/** The maximum of rows in an export. */
const MOST = 100_000;

export type Export<Row> = {
  /** The file's name, without its extension. */
  name: string;
  columns: readonly CsvColumn<Row>[];
  /** Reads a page of up to a hundred rows that match the filters. */
  page: (cursor: string | undefined) => Promise<{ rows: Row[]; nextCursor: string | null }>;
  /** Returns the notice that only so many rows are exported. */
  cut?: (rows: number) => string;
};

const narrower = (rows: number) => `The first ${rows} rows are exported. Narrow the filters for the others.`;

/** Reads page after page and saves all rows as one file; `onRead` gets the number of rows read so far. */
export async function exportAll<Row>(
  { name, columns, page, cut = narrower }: Export<Row>,
  onRead: (rows: number) => void,
) {
  const rows: Row[] = [];
  try {
    let cursor: string | undefined;
    do {
      const next = await page(cursor);
      rows.push(...next.rows);
      cursor = next.nextCursor ?? undefined;
      onRead(rows.length);
    } while (cursor !== undefined && rows.length < MOST);
    save(`${name}.csv`, csvOf(columns, rows));
    if (cursor !== undefined) toast(cut(rows.length));
  } catch (reason) {
    toast(`Nothing was exported. ${readProblem(reason).message}`);
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
