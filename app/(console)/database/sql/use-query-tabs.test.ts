import { expect, test } from "vitest";
import { mergeTabs } from "#app/(console)/database/sql/use-query-tabs.ts";

const tabsOf = (texts: Record<string, string>) => Object.entries(texts).map(([id, sql]) => ({ id, sql }));
const merge = (
  stored: Record<string, string>,
  own: Record<string, string>,
  changed: string[],
  activeId = "a",
) =>
  Object.fromEntries(
    mergeTabs(tabsOf(stored), tabsOf(own), new Set(changed), activeId).map(({ id, sql }) => [id, sql]),
  );

test("replaces only the changed tab, and takes what other windows have stored", () => {
  const stored = { a: "select 1", b: "select 2 -- there", c: "select 3 -- there" };
  expect(merge(stored, { a: "select 1 -- here", b: "select 2" }, ["a"])).toEqual({
    a: "select 1 -- here",
    b: "select 2 -- there",
    c: "select 3 -- there",
  });
});

test("adds and removes the tabs of this window alone", () => {
  expect(merge({ a: "1", b: "2" }, { a: "1", b: "2", d: "" }, ["d"], "d")).toEqual({ a: "1", b: "2", d: "" });
  expect(merge({ a: "1", b: "2", c: "3" }, { a: "1" }, ["b"])).toEqual({ a: "1", c: "3" });
});

test("keeps the active tab that another window has closed, and drops others", () => {
  expect(merge({ b: "2" }, { a: "1", b: "2", c: "3" }, [])).toEqual({ b: "2", a: "1" });
});

test("keeps every tab while nothing is stored", () => {
  expect(merge({}, { first: "select 1", b: "" }, ["b"], "b")).toEqual({ first: "select 1", b: "" });
});
