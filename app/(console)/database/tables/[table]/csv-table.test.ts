import { expect, test } from "vitest";
import { faultsOfForm } from "#app/(console)/database/tables/[table]/csv-table.ts";

const table = {
  name: "t",
  columns: [{ name: "id", type: "int8", nullable: false, default: null }],
  primaryKey: ["id"],
  foreignKeys: [],
  indexes: [],
  rowEstimate: 0,
  sizeBytes: 0,
};

test("lists no more faults of the first line than are shown", () => {
  const cells = Array.from({ length: 100_000 }, (_, place) => `c${place}`);
  const faults = faultsOfForm(table, [
    { line: 1, cells },
    { line: 2, cells },
  ]);
  expect(faults).toHaveLength(20);
  expect(faults.at(-1)).toMatchObject({ line: 1, column: "c19" });
});
