import { expect, test } from "vitest";
import { defineList, oneOf, period, search, text, wordsOf } from "#components/table/list.ts";

const list = defineList(
  "things",
  { search, status: oneOf("Status", wordsOf(["active", "awaiting_approval"])), tag: text("Tag"), ...period },
  ["createdAt", "name"],
);

test("a list asks for what its address says", () => {
  const values = {
    search: "  shop ",
    status: "awaiting_approval",
    tag: "nightly",
    from: "2027-01-01T00:00:00.000Z",
    to: "",
    sort: "-name",
    cursor: "abc",
  };
  expect(list.query(values)).toEqual({
    search: "shop",
    status: "awaiting_approval",
    tag: "nightly",
    from: "2027-01-01T00:00:00.000Z",
    sort: "-name",
    cursor: "abc",
  });
});

test("what is no value of a filter is no filter", () => {
  const values = {
    search: "   ",
    status: "gone",
    from: "yesterday",
    to: "2027-01-01",
    sort: "price",
    other: "x",
  };
  expect(list.query(values)).toEqual({});
  expect(list.query({ search: "x".repeat(10_000) }).search).toHaveLength(200);
});

test("words of a status are read from its value", () => {
  expect(wordsOf(["awaiting_approval"])).toEqual([
    { value: "awaiting_approval", label: "Awaiting approval" },
  ]);
});
