import { expect, test } from "vitest";
import { backoffMs } from "./backoff.ts";

test("each pause is twice as long as the one before, up to the longest", () => {
  const pauses = [0, 1, 2, 3, 4, 5].map((earlier) => backoffMs(earlier, 100, 1000));
  expect(pauses).toEqual([100, 200, 400, 800, 1000, 1000]);
  expect(backoffMs(10_000, 100, 1000)).toBe(1000);
});
