import { expect, test } from "vitest";
import { exportedOf } from "#components/table/column.ts";
import { csvOf } from "#components/table/csv.ts";

test("writes rows that a spreadsheet reads unchanged, without executing formulas", () => {
  const columns = [
    { header: "Name", value: ({ name }: { name: string; credits: number | null }) => name },
    { header: "Credits", value: ({ credits }: { credits: number | null }) => credits },
  ];
  const rows = [
    { name: 'The "shop", old\nand new', credits: -3 },
    { name: "=HYPERLINK(1)", credits: null },
    { name: "-12.50", credits: 1 },
    { name: "-1+1", credits: 1 },
  ];
  expect(csvOf(columns, rows)).toBe(
    '\uFEFFName,Credits\r\n"The ""shop"", old\nand new",-3\r\n\'=HYPERLINK(1),\r\n-12.50,1\r\n\'-1+1,1\r\n',
  );
});

test("a column is exported under its header, under headers of its own, or not at all", () => {
  const exported = exportedOf<{ name: string; error: { code: string; step: string } }>([
    { header: "Name", cell: () => null, csv: ({ name }) => name },
    {
      header: "Why",
      cell: () => null,
      csv: [
        { header: "Error", value: ({ error }) => error.code },
        { header: "Failed step", value: ({ error }) => error.step },
      ],
    },
    { header: "Mark", cell: () => null },
  ]);
  const rows = [{ name: "Nightly", error: { code: "not_found", step: "find" } }];
  expect(csvOf(exported, rows)).toBe("\uFEFFName,Error,Failed step\r\nNightly,not_found,find\r\n");
});
