import { expect, test } from "vitest";
import { withOneStatus } from "#app/(console)/runs/queries.ts";

test("setting one of Status and Only failures clears the other", () => {
  const values: Record<string, string> = { status: "succeeded", tag: "nightly" };
  const set = (name: string, value: string) => {
    values[name] = value;
  };
  const filters = withOneStatus({ values, set, clear: () => {}, active: true });
  filters.set("failures", "on");
  expect(values).toEqual({ status: "", failures: "on", tag: "nightly" });
  filters.set("status", "expired");
  expect(values).toEqual({ status: "expired", failures: "", tag: "nightly" });
  filters.set("failures", "");
  filters.set("tag", "");
  expect(values).toEqual({ status: "expired", failures: "", tag: "" });
});
