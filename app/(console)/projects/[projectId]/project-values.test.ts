import { expect, test } from "vitest";
import { changesOf, valuesOf } from "./project-values.ts";

const project = {
  name: "Orders",
  slug: "orders",
  description: "What people order.",
  metadata: { team: "back office", size: 3, live: true },
};

test.each([
  ["all of them", project],
  ["none that may be missing", { ...project, description: null, metadata: {} }],
])("a project with %s, saved unchanged, stays what it is", (_, before) => {
  expect(changesOf(before)(valuesOf(before))).toEqual(before);
});
