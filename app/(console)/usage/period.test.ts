import { expect, test } from "vitest";
import { periodOf } from "./period.ts";

const noon = Date.parse("2026-03-10T12:00:00.000Z");
const of = (period: string, from = "", to = "") => periodOf({ period, from, to }, noon);

test("takes whole UTC days up to today, 30 unless another number is chosen", () => {
  const { choice, days, query } = of("7");
  expect(choice).toBe("7");
  expect(days).toEqual([
    "2026-03-04",
    "2026-03-05",
    "2026-03-06",
    "2026-03-07",
    "2026-03-08",
    "2026-03-09",
    "2026-03-10",
  ]);
  expect(query).toEqual({ from: "2026-03-04T00:00:00.000Z" });
  expect(of("").days).toHaveLength(30);
  expect(of("12").days).toHaveLength(30);
});

test("takes a custom period with both its days, and ends it where it does not reach today", () => {
  expect(of("custom", "2026-02-27", "2026-03-01")).toEqual({
    choice: "custom",
    days: ["2026-02-27", "2026-02-28", "2026-03-01"],
    query: { from: "2026-02-27T00:00:00.000Z", to: "2026-03-02T00:00:00.000Z" },
  });
  expect(of("custom", "2026-03-09", "2027-01-01").query).toEqual({ from: "2026-03-09T00:00:00.000Z" });
});

test("brings what an address asks for within what can be shown", () => {
  expect(of("custom", "1970-01-01", "2026-03-10").days).toHaveLength(366);
  expect(of("custom", "2026-03-09", "2026-03-01").days).toEqual(["2026-03-01"]);
  expect(of("custom", "2026-02-31", "2026-03-01").choice).toBe("30");
  expect(of("custom", "nonsense", "2026-03-01").choice).toBe("30");
});
