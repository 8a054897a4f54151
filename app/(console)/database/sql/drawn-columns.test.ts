import { expect, test } from "vitest";
import { firstChoice, kindOf, pointsOf } from "#app/(console)/database/sql/drawn-columns.ts";

const id = { name: "id", type: "int8" };
const day = { name: "day", type: "timestamptz" };
const note = { name: "note", type: "text" };
const total = { name: "total", type: "numeric" };

test("numbers are drawn along the first column that has none, and ids are no measure", () => {
  expect(firstChoice([id, note, total])).toEqual({ label: 1, series: [2] });
  expect(firstChoice([day, id])).toEqual({ label: 0, series: [1] });
  expect(firstChoice([id, total])).toEqual({ label: 0, series: [1] });
  expect(firstChoice([note])).toEqual({ label: 0, series: [] });
  const many = Array.from({ length: 9 }, (_, nth) => ({ name: `n${nth}`, type: "float8" }));
  expect(firstChoice([note, ...many]).series).toEqual([1, 2, 3, 4, 5]);
});

test("decimals that come as text are numbers, and what is none leaves a gap", () => {
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

test("words have bars; moments, numbers and what is below zero have lines", () => {
  const points = pointsOf([["a", 1]], [1]);
  expect([kindOf(points, note), kindOf(points, day), kindOf(points, id)]).toEqual(["bar", "line", "line"]);
  expect(kindOf(pointsOf([["a", -1]], [1]), note)).toBe("line");
});
