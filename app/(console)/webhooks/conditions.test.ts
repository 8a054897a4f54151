import { expect, test } from "vitest";
import { filterOf, inWords, rowsOf } from "#app/(console)/webhooks/conditions.ts";
import { type Condition, Filter } from "#server/webhooks/settings/schema.ts";

const FILTER: Condition[] = [
  { path: "data.run.status", op: "in", value: ["failed", "expired"] },
  { path: "data.credits", op: "gte", value: "12345678901234567890.10" },
  { path: "data.flag", op: "eq", value: true },
  { path: "data.nothing", op: "ne", value: null },
  { path: "data.error", op: "exists" },
  { path: "data.output", op: "exists", value: false },
  { path: "type", op: "prefix", value: "true" },
];

/** Values whose text would be parsed as something else. */
const AMBIGUOUS: Condition[] = [
  { path: "data.run.status", op: "in", value: ["failed, expired", " spaced ", "null", 5, null] },
  { path: "data.credits", op: "gte", value: 12.5 },
  { path: "data.flag", op: "eq", value: "true" },
  { path: "data.error", op: "exists", value: true },
];

test("a filter is unchanged after opening and saving it", () => {
  expect(filterOf(rowsOf(FILTER))).toEqual(FILTER);
  expect(Filter.parse(filterOf(rowsOf(FILTER)))).toEqual(FILTER);
  expect(filterOf(rowsOf(null))).toBeNull();
  expect(filterOf(rowsOf(AMBIGUOUS))).toEqual(AMBIGUOUS);
});

test("a retyped value is parsed from its text", () => {
  const [list, , flag] = rowsOf(AMBIGUOUS);
  const typed = [
    { ...list, path: "data.run.status", op: "in" as const, value: "failed, true" },
    { ...flag, path: "data.flag", op: "eq" as const, value: "false" },
  ];
  expect(filterOf(typed)).toEqual([
    { path: "data.run.status", op: "in", value: ["failed", true] },
    { path: "data.flag", op: "eq", value: false },
  ]);
});

test("describes conditions in words", () => {
  expect(FILTER.map(inWords)).toEqual([
    "data.run.status is one of failed, expired",
    "data.credits is at least 12345678901234567890.10",
    "data.flag is true",
    "data.nothing is not null",
    "data.error is there",
    "data.output is not there",
    "type begins with true",
  ]);
});
