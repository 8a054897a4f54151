import { afterAll, beforeAll, expect, test } from "vitest";
import { clockTime, exactTime, relativeTo, shortDay } from "#components/ui/time-words.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const zone = process.env.TZ;

beforeAll(() => {
  process.env.TZ = "Asia/Kolkata";
});
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test("rounds a past time down to full units", () => {
  const ago = (ms: number) => relativeTo(0, -ms);
  expect([5_000, MINUTE, 59 * MINUTE, HOUR, 23 * HOUR].map(ago)).toEqual([
    "just now",
    "1 min. ago",
    "59 min. ago",
    "1 hr. ago",
    "23 hr. ago",
  ]);
  expect([DAY, 2 * DAY, 31 * DAY, 61 * DAY, 366 * DAY, 731 * DAY].map(ago)).toEqual([
    "yesterday",
    "2 days ago",
    "last mo.",
    "2 mo. ago",
    "last yr.",
    "2 yr. ago",
  ]);
});

test("rounds a future time", () => {
  const until = (ms: number) => relativeTo(0, ms);
  expect([30_000, MINUTE, HOUR, DAY, 2 * DAY - 1_000, 45 * DAY, 366 * DAY].map(until)).toEqual([
    "in under a minute",
    "in 1 min.",
    "in 1 hr.",
    "tomorrow",
    "in 2 days",
    "in 2 mo.",
    "next yr.",
  ]);
});

test("shows a moment in the viewer's time zone", () => {
  expect(exactTime("2026-03-01T20:05:09.120Z")).toBe("2026-03-02 01:35:09 UTC+5:30");
  expect(clockTime("2026-03-01T20:05:09.120Z")).toBe("01:35");
  process.env.TZ = "America/New_York";
  expect(exactTime("2026-03-01T20:05:09Z")).toBe("2026-03-01 15:05:09 UTC−5");
  process.env.TZ = "UTC";
  expect(exactTime("2026-03-01T20:05:09Z")).toBe("2026-03-01 20:05:09 UTC");
});

test("a day is a UTC day", () => {
  expect(shortDay("2026-09-05")).toBe("5 Sep");
});
