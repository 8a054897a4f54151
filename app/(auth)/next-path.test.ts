import { expect, test } from "vitest";
import { nextPath } from "#app/(auth)/next-path.ts";

test("accepts a path of this console with its query", () => {
  expect(nextPath("/projects?status=active")).toBe("/projects?status=active");
});

test.each([
  undefined,
  "https://evil.test/",
  "//evil.test/",
  "/\\evil.test",
  "\\\\evil.test",
  "javascript:alert(1)",
  "/\t/evil.test",
  "/.//evil.test",
  "/a/..//evil.test",
  ["/a", "/b"],
])("leads nowhere else: %j", (next) => {
  expect(nextPath(next)).toBe("/");
});
