import { expect, test } from "vitest";
import { type BrokenCsv, parseCsv } from "#app/(console)/database/tables/[table]/parse-csv.ts";

function faultOf(text: string) {
  try {
    parseCsv(text);
  } catch (reason) {
    return (reason as BrokenCsv).fault;
  }
}

test("reads quotes, lines within them, empty values and null, with the line that each row begins on", () => {
  expect(parseCsv('id,note\r\n1,"a ""quoted""\nword"\r\n\r\n2,""\r\n3,')).toEqual([
    { line: 1, cells: ["id", "note"] },
    { line: 2, cells: ["1", 'a "quoted"\nword'] },
    { line: 5, cells: ["2", ""] },
    { line: 6, cells: ["3", null] },
  ]);
});

test.each([
  [";", "a;b\n1,5;2"],
  ["\t", "a\tb\n1,5\t2"],
])("takes %j for the separator where the first line has it", (_, text) => {
  expect(parseCsv(text).map(({ cells }) => cells)).toEqual([
    ["a", "b"],
    ["1,5", "2"],
  ]);
});

test("keeps commas within quotes of the first line out of the count", () => {
  expect(parseCsv('"a,b,c";d\n1;2')[0]?.cells).toEqual(["a,b,c", "d"]);
});

test("names the line of an unclosed quotation mark, and of text after a closed one", () => {
  expect(faultOf('a\n1\n"2\n3')).toMatchObject({ line: 3 });
  expect(faultOf('a\n"1"2')).toMatchObject({ line: 2 });
  expect(parseCsv("")).toEqual([]);
});
