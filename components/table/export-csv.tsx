"use client";

import { useState } from "react";
import type { CsvColumn } from "#components/table/csv.ts";
import { Button } from "#components/ui/button.tsx";
import { readProblem } from "#components/ui/problem.ts";
import { toast } from "#components/ui/toast.tsx";

/** As many rows as an export has at most. */
const MOST = 10_000;

const narrower = (rows: number) => `The newest ${rows} rows are exported. Narrow the filters for the others.`;

type Props<Row> = {
  /** The file's name, without its end. */
  name: string;
  columns: readonly CsvColumn<Row>[];
  /** A page of what the filters let through, a hundred rows of it. */
  page: (cursor: string | undefined) => Promise<{ rows: Row[]; nextCursor: string | null }>;
  /** Says that only so many rows are exported. */
  cut?: (rows: number) => string;
};

/** Exports all that the filters let through, not only what is seen. */
export function ExportCsv<Row>({ name, columns, page, cut = narrower }: Props<Row>) {
  const [read, setRead] = useState<number | null>(null);

  async function exportAll() {
    const rows: Row[] = [];
    setRead(0);
    try {
      const { csvOf } = await import("#components/table/csv.ts");
      let cursor: string | undefined;
      do {
        const next = await page(cursor);
        rows.push(...next.rows);
        cursor = next.nextCursor ?? undefined;
        setRead(rows.length);
      } while (cursor !== undefined && rows.length < MOST);
      save(`${name}.csv`, csvOf(columns, rows));
      if (cursor !== undefined) toast(cut(rows.length));
    } catch (reason) {
      toast(`Nothing was exported. ${readProblem(reason).message}`);
    }
    setRead(null);
  }

  return (
    <Button variant="ghost" pending={read !== null} onClick={exportAll}>
      {read ? `Exporting ${read} rows` : "Export as CSV"}
    </Button>
  );
}

function save(name: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
