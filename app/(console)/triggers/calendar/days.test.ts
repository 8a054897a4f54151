import { expect, test } from "vitest";
import { daysOf } from "./days.ts";

test("groups times by the viewer's days", () => {
  const times = ["2027-03-27T22:30:00.000Z", "2027-03-27T23:30:00.000Z", "2027-03-28T21:30:00.000Z"];
  const days = daysOf(
    {
      from: "2027-03-27T12:00:00.000Z",
      to: "2027-03-29T12:00:00.000Z",
      triggers: [{ id: "trg_1", name: "often", times, more: true }],
    },
    "Europe/Berlin",
  );
  expect(days).toEqual([
    { date: "2027-03-27", entries: [{ id: "trg_1", name: "often", first: times[0], times: 1, more: false }] },
    { date: "2027-03-28", entries: [{ id: "trg_1", name: "often", first: times[1], times: 2, more: true }] },
    { date: "2027-03-29", entries: [] },
  ]);
});
