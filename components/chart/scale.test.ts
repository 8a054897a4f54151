import { expect, test } from "vitest";
import { ticksOf } from "#components/chart/scale.ts";

test("an axis has round whole numbers from zero", () => {
  expect(ticksOf([3, 87, 12], false)).toEqual([0, 50, 100]);
  expect(ticksOf([1_234], false)).toEqual([0, 500, 1_000, 1_500]);
  expect(ticksOf([2], false)).toEqual([0, 1, 2]);
  expect(ticksOf([0, 0], false)).toEqual([0, 1]);
  expect(ticksOf([], false)).toEqual([0, 1]);
});

test("an axis that fits goes from below the lowest value to above the highest", () => {
  expect(ticksOf([2_991.5, 3_004.2], true)).toEqual([2_990, 2_995, 3_000, 3_005]);
  expect(ticksOf([3_000, 3_000], true)).toEqual([2_950, 3_000, 3_050]);
});
