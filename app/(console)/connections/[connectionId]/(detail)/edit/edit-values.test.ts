import { expect, test } from "vitest";
import { changesOf, valuesOf } from "./edit-values.ts";

const connection = {
  label: "Orders",
  allowedHosts: ["api.example.com", "*.example.org"],
  tokenUrl: "https://auth.example.com/token",
  expiresAt: "2027-01-31T12:00:30.500Z",
};

test.each([
  ["all of them", connection],
  ["none that may be missing", { ...connection, tokenUrl: null, expiresAt: null }],
])("a connection with %s, saved unchanged, stays what it is", (_, before) => {
  const changes = changesOf(before)(valuesOf(before));
  expect({ ...before, ...changes }).toEqual(before);
});

test("sends a secret only if one is typed, and an expiry only if it has changed", () => {
  const values = { ...valuesOf(connection), secret: "new", expiresAt: null };
  expect(changesOf(connection)(values)).toMatchObject({ secret: "new", expiresAt: null });
  expect(Object.keys(changesOf(connection)(valuesOf(connection))).sort()).toEqual([
    "allowedHosts",
    "label",
    "tokenUrl",
  ]);
});
