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

test("writes the values of a signed type as they are, and tells an empty text from no value", () => {
  const columns = [
    { header: "Delay", value: ([delay]: (string | number | null)[]) => delay, signed: true },
    { header: "Note", value: ([, note]: (string | number | null)[]) => note },
  ];
  const rows = [
    ["-1 days", ""],
    [-1e-7, null],
    ["-Infinity", "-1 days"],
  ];
  expect(csvOf(columns, rows)).toBe('\uFEFFDelay,Note\r\n-1 days,""\r\n-1e-7,\r\n-Infinity,\'-1 days\r\n');
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
