import { expect, test } from "vitest";
import { periodOf } from "./period.ts";

const noon = Date.parse("2026-03-10T12:00:00.000Z");
const of = (period: string, from = "", to = "") => periodOf({ period, from, to }, noon);

test("covers whole UTC days up to today, 30 unless another number is chosen", () => {
  const { choice, moments, query } = of("7");
  expect(choice).toBe("7");
  expect(moments).toEqual([
    "2026-03-04",
    "2026-03-05",
    "2026-03-06",
    "2026-03-07",
    "2026-03-08",
    "2026-03-09",
    "2026-03-10",
  ]);
  expect(query).toEqual({ from: "2026-03-04T00:00:00.000Z" });
  expect(of("").moments).toHaveLength(30);
  expect(of("12").moments).toHaveLength(30);
});

test("covers the last hour by minutes and the last day by hours, including the current one", () => {
  const hour = periodOf({ period: "1h", from: "", to: "" }, noon + 61_000);
  expect(hour.moments).toHaveLength(60);
  expect(hour.moments.at(-1)).toBe("2026-03-10T12:01:00.000Z");
  expect(hour.query).toEqual({ from: "2026-03-10T11:02:00.000Z" });
  const day = of("24h");
  expect(day.moments).toHaveLength(24);
  expect(day.query).toEqual({ from: "2026-03-09T13:00:00.000Z" });
  expect(of("365").query).toEqual({ from: "2025-03-11T00:00:00.000Z" });
});

test("covers a custom period with both its days, and sends an end if it does not reach today", () => {
  expect(of("custom", "2026-02-27", "2026-03-01")).toEqual({
    choice: "custom",
    step: "day",
    moments: ["2026-02-27", "2026-02-28", "2026-03-01"],
    query: { from: "2026-02-27T00:00:00.000Z", to: "2026-03-02T00:00:00.000Z" },
  });
  expect(of("custom", "2026-03-09", "2027-01-01").query).toEqual({ from: "2026-03-09T00:00:00.000Z" });
});

test("limits the address's period to one that can be shown", () => {
  expect(of("custom", "1970-01-01", "2026-03-10").moments).toHaveLength(366);
  expect(of("custom", "2026-03-09", "2026-03-01").moments).toEqual(["2026-03-01"]);
  expect(of("custom", "2026-02-31", "2026-03-01").choice).toBe("30");
  expect(of("custom", "nonsense", "2026-03-01").choice).toBe("30");
});
