"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Download, LoaderCircle } from "lucide-react";
import { useState } from "react";
import type { Export } from "#components/table/export-all.ts";
import { exporting } from "#components/table/exporting.ts";
import { Button } from "#components/ui/button.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";

type Start = ReturnType<typeof exporting>;

const LABEL = "Export as CSV";

/** Exports all rows that match the filters, not only those on screen. */
export function ExportCsv<Row>(props: Export<Row>) {
  const { read, press } = useExport(exporting(props));
  return (
    <Button variant="ghost" pending={read !== null} onClick={press}>
      {read ? exportingText(read) : LABEL}
    </Button>
  );
}

/** The same as an icon, for the bar above a list. */
export function ExportIcon({ start }: { start: Start }) {
  const { read, press } = useExport(start);
  if (read === null) return <IconButton icon={Download} label={LABEL} onClick={press} />;
  return (
    <IconButton
      icon={LoaderCircle}
      label={exportingText(read)}
      aria-busy
      aria-disabled
      className="*:animate-spin"
    />
  );
}

const exportingText = (read: number) => `Exporting ${read} rows`;

/** Returns the number of rows read so far; null unless the export runs. */
function useExport(start: Start) {
  const queries = useQueryClient();
  const [read, setRead] = useState<number | null>(null);
  async function press() {
    setRead(0);
    try {
      await start(queries, setRead);
    } finally {
      setRead(null);
    }
  }
  return { read, press };
}
