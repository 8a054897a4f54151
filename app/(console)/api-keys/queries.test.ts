import { afterEach, expect, test, vi } from "vitest";
import { isNarrowed, keyList } from "#app/(console)/api-keys/queries.ts";

afterEach(() => {
  vi.useRealTimers();
});

test("keys that expire soon are active ones, all day long the same query", () => {
  vi.useFakeTimers({ now: new Date("2027-01-31T00:00:00.000Z") });
  const soon = { status: "active", expiresBefore: "2027-02-08T00:00:00.000Z" };
  expect(keyList.query({ expiry: "7" })).toEqual(soon);
  vi.setSystemTime(new Date("2027-01-31T23:59:59.999Z"));
  expect(keyList.query({ expiry: "7" })).toEqual(soon);
  expect(isNarrowed(keyList.query({ expiry: "7" }))).toBe(true);
});

test("an expiry goes with a chosen status, and any other value is ignored", () => {
  vi.useFakeTimers({ now: new Date("2027-01-31T12:00:00.000Z") });
  expect(keyList.query({ expiry: "30", status: "revoked" })).toEqual({
    status: "revoked",
    expiresBefore: "2027-03-03T00:00:00.000Z",
  });
  expect(keyList.query({ expiry: "8" })).toEqual({});
});
