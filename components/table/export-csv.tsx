"use client";

import { useState } from "react";
import type { Export } from "#components/table/export-all.ts";
import { exporting } from "#components/table/exporting.ts";
import { Button } from "#components/ui/button.tsx";

/** Exports all rows that match the filters, not only those on screen. */
export function ExportCsv<Row>(props: Export<Row>) {
  return <ExportButton start={exporting(props)} />;
}

/** Shows the number of rows read so far while the export runs. */
export function ExportButton({ start }: { start: ReturnType<typeof exporting> }) {
  const [read, setRead] = useState<number | null>(null);
  async function press() {
    setRead(0);
    try {
      await start(setRead);
    } finally {
      setRead(null);
    }
  }
  return (
    <Button variant="ghost" pending={read !== null} onClick={press}>
      {read ? `Exporting ${read} rows` : "Export as CSV"}
    </Button>
  );
}
