import type { QueryClient } from "@tanstack/react-query";
import type { Export } from "#components/table/export-all.ts";

/** Returns a function that exports rows; it loads its code on the first call. */
export const exporting =
  <Row>(all: Export<Row>) =>
  async (queries: QueryClient, onRead: (rows: number) => void) => {
    const { exportAll } = await import("#components/table/export-all.ts");
    await exportAll(all, queries, onRead);
  };
