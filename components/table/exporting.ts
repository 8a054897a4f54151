import type { Export } from "#components/table/export-all.ts";

/** Exports rows once it is called; what that takes is loaded then. */
export const exporting =
  <Row>(all: Export<Row>) =>
  async (onRead: (rows: number) => void) => {
    const { exportAll } = await import("#components/table/export-all.ts");
    await exportAll(all, onRead);
  };
