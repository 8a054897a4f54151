import { expect, test } from "vitest";
import { actionsOn, isCalled } from "./palette-actions.ts";

const KEY = "key_01m8bb9n2fftprxg2ad6ecxc7k";
const TRIGGER = "trg_01m8bb9n2fftprxg2ad6ecxc7k";
const labels = (pathname: string, scopes: Parameters<typeof actionsOn>[1]) =>
  actionsOn(pathname, scopes).map(({ label }) => label);

test("a list's page offers its form, and actions on many rows", () => {
  expect(labels("/webhooks", ["webhooks:write"])).toEqual(["New webhook"]);
  expect(labels("/runs", ["runs:read", "runs:write"])).toEqual([
    "New run",
    "Cancel several runs",
    "Retry several runs",
    "Forget several runs",
  ]);
  expect(labels("/triggers", ["runs:read"])).toEqual(["Calendar of triggers"]);
  expect(labels("/triggers", ["runs:write"])).toEqual(["New trigger"]);
  expect(labels("/usage", ["usage:read"])).toEqual([]);
});

test("a resource's page offers the actions that the person may execute", () => {
  expect(labels(`/api-keys/${KEY}`, ["audit:read"])).toEqual(["Audit of this key"]);
  expect(labels(`/triggers/${TRIGGER}`, ["runs:write"])).toEqual([
    "Edit this trigger",
    "Backfill this trigger",
  ]);
});

test("an action is found by the beginnings of its words", () => {
  expect(isCalled("Switch project", "sw pro")).toBe(true);
  expect(isCalled("Switch project", "witch")).toBe(false);
});
