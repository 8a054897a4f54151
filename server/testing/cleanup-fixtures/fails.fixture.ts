import { expect, test } from "vitest";
import { isAlive } from "#server/boot/processes.ts";
import { startIdle } from "./idle.ts";

const seen: (number | undefined)[] = [];

test("fails after it has started a process", () => {
  seen.push(startIdle().pid);
  expect.fail("On purpose.");
});

test("comes when that process has ended", () => {
  expect(seen.map((pid) => pid && isAlive(pid))).toEqual([false]);
});
