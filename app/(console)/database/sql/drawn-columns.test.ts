import { expect, test } from "vitest";
import { firstChoice, kindOf, pointsOf } from "#app/(console)/database/sql/drawn-columns.ts";

const id = { name: "id", type: "int8" };
const day = { name: "day", type: "timestamptz" };
const note = { name: "note", type: "text" };
const total = { name: "total", type: "numeric" };

test("draws numbers along the first column without numbers, and no ids", () => {
  expect(firstChoice([id, note, total])).toEqual({ label: 1, series: [2] });
  expect(firstChoice([day, id])).toEqual({ label: 0, series: [1] });
  expect(firstChoice([id, total])).toEqual({ label: 0, series: [1] });
  expect(firstChoice([note])).toEqual({ label: 0, series: [] });
  const many = Array.from({ length: 9 }, (_, nth) => ({ name: `n${nth}`, type: "float8" }));
  expect(firstChoice([note, ...many]).series).toEqual([1, 2, 3, 4, 5]);
});

test("parses decimals in texts, and leaves a gap for other values", () => {
  expect(
    pointsOf(
      [
        ["a", "1.50"],
        ["b", null],
        ["c", "NaN"],
        ["d", 7],
      ],
      [1],
    ),
  ).toEqual([
    { at: "0", "1": 1.5 },
    { at: "1", "1": null },
    { at: "2", "1": null },
    { at: "3", "1": 7 },
  ]);
});

test("draws bars for words, and lines for moments, numbers and negative values", () => {
  const points = pointsOf([["a", 1]], [1]);
  expect([kindOf(points, note), kindOf(points, day), kindOf(points, id)]).toEqual(["bar", "line", "line"]);
  expect(kindOf(pointsOf([["a", -1]], [1]), note)).toBe("line");
});
