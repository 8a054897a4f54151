import { expect, test } from "vitest";
import { burnDown, forecastOf } from "./forecast.ts";

const history = ["2026-03-01", "2026-03-02", "2026-03-03"].map((day, index) => ({
  day,
  totalCredits: 100 - index * 10,
}));
const charged = [
  { key: "2026-02-01", chargedCredits: 900 },
  { key: "2026-03-01", chargedCredits: 60 },
  { key: "2026-03-03", chargedCredits: 80 },
];

test("forecasts at the pace of the last seven days until nothing is left", () => {
  const forecast = forecastOf(80, history, charged);
  expect(forecast).toEqual({ pace: 20, daysLeft: 4 });
  expect(burnDown(history, forecast).slice(2)).toEqual([
    { at: "2026-03-03", left: 80, ahead: 80 },
    { at: "2026-03-04", left: null, ahead: 60 },
    { at: "2026-03-05", left: null, ahead: 40 },
    { at: "2026-03-06", left: null, ahead: 20 },
    { at: "2026-03-07", left: null, ahead: 0 },
    { at: "2026-03-08", left: null, ahead: 0 },
  ]);
});

test("forecasts nothing if nothing is charged", () => {
  const forecast = forecastOf(80, history, []);
  expect(forecast).toEqual({ pace: 0, daysLeft: null });
  expect(burnDown(history, forecast)).toHaveLength(3);
});
