import { expect, test } from "vitest";
import {
  defineList,
  given,
  linked,
  oneOf,
  onOff,
  period,
  search,
  segments,
  text,
  wordsOf,
} from "#components/table/list.ts";
import { Segments } from "#components/ui/segments.tsx";

const list = defineList(
  "things",
  { search, status: oneOf("Status", wordsOf(["active", "awaiting_approval"])), tag: text("Tag"), ...period },
  ["createdAt", "name"],
);

test("a list's query has the address's filters", () => {
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

test("an invalid value of a filter is ignored", () => {
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

test("a status is put into words from its value", () => {
  expect(wordsOf(["awaiting_approval"])).toEqual([
    { value: "awaiting_approval", label: "Awaiting approval" },
  ]);
});

test("a list's query can be computed from the address by its page", () => {
  const runs = defineList("runs", {
    status: segments(
      "Status",
      [
        { value: "", label: "Waiting" },
        { value: "failed", label: "Failed" },
      ],
      Segments,
    ),
    operation: given("Operation"),
    failures: onOff("Only failures"),
  }).asking(({ status = "queued", ...query }) => ({ ...query, status }));
  expect(runs.names).toEqual(["status", "operation", "failures", "sort", "cursor"]);
  expect(runs.query({})).toEqual({ status: "queued" });
  expect(runs.query({ status: "failed", operation: "runs.list", failures: "on" })).toEqual({
    status: "failed",
    operation: "runs.list",
    failures: "on",
  });
  expect(runs.query({ status: "gone", failures: "yes" })).toEqual({ status: "queued" });
});

test("a period can begin a span before now, and cannot end with one", () => {
  expect(list.query({ from: "24h", to: "2027-01-01T00:00:00.000Z" })).toEqual({
    from: "24h",
    to: "2027-01-01T00:00:00.000Z",
  });
  expect(list.query({ from: "7d", to: "24h" })).toEqual({ from: "7d" });
  expect(list.query({ from: "1y" })).toEqual({});
  expect(list.query({ from: "-1h" })).toEqual({});
});

test("typed text is trimmed and truncated; values of addresses are not", () => {
  const things = defineList("things", { tag: text("Tag", 5), name: linked("Name") });
  expect(things.query({ tag: "  nightly ", name: " a.txt " })).toEqual({ tag: "night", name: " a.txt " });
});
