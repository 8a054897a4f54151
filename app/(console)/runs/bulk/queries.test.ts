import { expect, test } from "vitest";
import { eligibleRuns, leftOutText } from "#app/(console)/runs/bulk/queries.ts";
import type { Run } from "#app/(console)/runs/queries.ts";

const runOf = (status: Run["status"], forgottenAt: string | null = null) => {
  const finishedAt = ["running", "cancelling"].includes(status) ? null : "2027-01-31T12:00:00.000Z";
  return { status, finishedAt, forgottenAt } as Run;
};
const statusesOf = (runs: readonly Run[]) => runs.map(({ status }) => status);
const mixed = [
  runOf("failed"),
  runOf("succeeded"),
  runOf("running"),
  runOf("cancelled"),
  runOf("cancelling"),
  runOf("failed", "2027-01-31T13:00:00.000Z"),
];

test("a retry leaves out runs that succeeded, beside others", () => {
  expect(statusesOf(eligibleRuns("retry", mixed))).toEqual(["failed", "cancelled"]);
  expect(leftOutText("retry", mixed)).toBe("One that succeeded is left out: it would do its work again.");
  expect(leftOutText("retry", [...mixed, runOf("succeeded")])).toBe(
    "2 that succeeded are left out: they would do their work again.",
  );
});

test("succeeded runs alone are retried", () => {
  const succeeded = [runOf("succeeded"), runOf("succeeded")];
  expect(statusesOf(eligibleRuns("retry", succeeded))).toEqual(["succeeded", "succeeded"]);
  expect(leftOutText("retry", succeeded)).toBe("");
});

test("the other actions take every run that they can change", () => {
  expect(statusesOf(eligibleRuns("cancel", mixed))).toEqual(["running"]);
  expect(statusesOf(eligibleRuns("forget", mixed))).toEqual(["failed", "succeeded", "cancelled"]);
  expect([leftOutText("cancel", mixed), leftOutText("forget", mixed)]).toEqual(["", ""]);
});
