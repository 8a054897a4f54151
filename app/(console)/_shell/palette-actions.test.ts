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

test("a run's page offers a retry if the run has failed in a step", () => {
  const page = "/runs/run_01m8bb9n2fftprxg2ad6ecxc7k";
  expect(labels(page, ["runs:write"])).toEqual(["Run this again"]);
  expect(actionsOn(page, ["runs:write"], "steps.find").at(-1)).toEqual({
    label: "Retry this run from its failed step",
    href: `${page}?retry=steps.find`,
    scope: "runs:write",
  });
});

test("stored workflows, memories and projects offer their forms", () => {
  expect(labels("/workflows/stored/wf_01m8bb9n2fftprxg2ad6ecxc7k", ["runs:write"])).toEqual([
    "New version of this workflow",
  ]);
  expect(labels("/memories/mem_01m8bb9n2fftprxg2ad6ecxc7k", ["services:invoke"])).toEqual([
    "Edit this memory",
  ]);
  expect(labels("/projects/proj_01m8bb9n2fftprxg2ad6ecxc7k", ["projects:read"])).toEqual([
    "Switch to this project",
  ]);
});

test("an action is found by the beginnings of its words", () => {
  expect(isCalled("Switch project", "sw pro")).toBe(true);
  expect(isCalled("Switch project", "witch")).toBe(false);
});
