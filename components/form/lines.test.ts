import { expect, test } from "vitest";
import { lineOf, textsIn } from "#components/form/lines.ts";

test("texts that are no lines are written as JSON strings, and all are read as they were", () => {
  const texts = [
    "plain",
    "two\nlines",
    " spaced ",
    "cr\r",
    '"quoted"',
    '"',
    '"\\"a\\\\nb\\""',
    '"a\\nb"',
    "שלום",
  ];
  const lines = texts.map(lineOf);
  expect(lines.slice(0, 6)).toEqual(["plain", '"two\\nlines"', '" spaced "', '"cr\\r"', '"quoted"', '"']);
  expect(textsIn(lines.join("\n"))).toEqual(texts);
});

test("lines are trimmed, empty ones are ignored, and quotes that are not needed belong to the text", () => {
  expect(textsIn('  a  \n\n \n"b"\n"c')).toEqual(["a", '"b"', '"c']);
});
