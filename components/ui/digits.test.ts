import { expect, test } from "vitest";
import { groupDigits, inDigits, inShort, sumOf } from "#components/ui/digits.ts";

test("digits are grouped, and a fraction is rounded to the given number", () => {
  expect(inDigits(1_234_567)).toBe("1,234,567");
  expect(inDigits(-1_000)).toBe("-1,000");
  expect(inDigits(999)).toBe("999");
  expect(inDigits(48.25, 1)).toBe("48.3");
  expect(inDigits(2_048, 1)).toBe("2,048");
  expect(inDigits(0.1, 20)).toBe("0.1");
});

test("an amount is cut to eight decimals, never made a float", () => {
  expect(groupDigits("123456789012345678.123456789")).toBe("123,456,789,012,345,678.12345678…");
  expect(groupDigits("-0.5")).toBe("-0.5");
  expect(groupDigits("a lot")).toBe("a lot");
});

test("amounts are added exactly", () => {
  expect(sumOf([])).toBe("0");
  expect(sumOf(["7501.25", "1000", "0.000000000000000001"])).toBe("8501.250000000000000001");
  expect(sumOf(["9007199254740993", "1"])).toBe("9007199254740994");
  expect(sumOf(["12.5", "7.5", "80"])).toBe("100");
});

test("an axis abbreviates its numbers", () => {
  expect([0, 500, 1_000, 1_500, 200_000, 2_500_000].map(inShort)).toEqual([
    "0",
    "500",
    "1K",
    "1.5K",
    "200K",
    "2.5M",
  ]);
});
