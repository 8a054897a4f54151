import { expect, test } from "vitest";
import { bodyOf, emptyKey, longestLife } from "./key-values.ts";

test("leaves out everything that was not chosen", () => {
  expect(bodyOf({ ...emptyKey, label: "Backend", scopes: ["files:read"] })).toEqual({
    label: "Backend",
    scopes: ["files:read"],
  });
});

test("sends a boundary as allowed or excluded names, even if empty", () => {
  const services = { mode: "allowed" as const, names: [] };
  const operations = { mode: "excluded" as const, names: ["projects.archive"] };
  expect(bodyOf({ ...emptyKey, services, operations })).toMatchObject({
    allowedServices: [],
    excludedOperations: ["projects.archive"],
  });
});

test("gathers the limits of a selector", () => {
  const limits = [
    { row: 0, selector: "*", kind: "requestsPerMinute" as const, value: 60 },
    { row: 1, selector: "*", kind: "maxConcurrent" as const, value: 2 },
    { row: 2, selector: "projects.list", kind: "requestsPerMinute" as const, value: null },
  ];
  expect(bodyOf({ ...emptyKey, limits }).limits).toEqual({
    "*": { requestsPerMinute: 60, maxConcurrent: 2 },
    "projects.list": { requestsPerMinute: null },
  });
});

test("passes a missing date to the schema, which refuses it", () => {
  expect(bodyOf({ ...emptyKey, lifetime: "date" }).expiresAt).toBeNull();
});

test("returns the longest lifetime of a key with these scopes", () => {
  const facts = { allows: "", allowed: true, deniedBy: null };
  const all = [
    { ...facts, scope: "files:read" as const, longestDays: 365 },
    { ...facts, scope: "wallets:sign" as const, longestDays: 90 },
  ];
  expect(longestLife(all, ["files:read"])).toEqual({ days: 365, otherwise: 365, because: null });
  expect(longestLife(all, ["files:read", "wallets:sign"])).toEqual({
    days: 90,
    otherwise: 365,
    because: "wallets:sign",
  });
});
