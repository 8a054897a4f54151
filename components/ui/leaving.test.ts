import { expect, test } from "vitest";
import { staysOpen } from "#components/ui/leaving.ts";

const stays = (here: string, next: string) =>
  staysOpen(new URL(here, "https://console.test"), new URL(next, "https://console.test"));

test("a side modal over the page, or another search part of it, keeps what is typed on it", () => {
  expect(stays("/database/tables/orders", "/database/tables/orders/new")).toBe(true);
  expect(stays("/runs/run_1?step=a", "/runs/run_1?step=b")).toBe(true);
  expect(stays("/runs/run_1?projectId=proj_1", "/runs/run_1?step=b&projectId=proj_1")).toBe(true);
});

test("any other page, and the same page of another project, discards it", () => {
  expect(stays("/projects/new", "/projects")).toBe(false);
  expect(stays("/runs", "/runsets")).toBe(false);
  expect(stays("/", "/runs")).toBe(false);
  expect(stays("/runs/new?projectId=proj_1", "/runs/new?projectId=proj_2")).toBe(false);
});
