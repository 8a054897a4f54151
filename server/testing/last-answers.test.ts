import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { runFixture } from "./run-fixture.ts";

test("a failed test shows its last responses, and the log of exactly their requests", async () => {
  const output = await runFixture("failed-call");
  const shown = defined(output.split("On purpose.\nThe last responses:\n")[1]).split("\n");
  expect(shown.slice(0, 2)).toEqual([
    'GET /v1/runs → 500, req_call: {"error":"internal"}',
    "The log of their requests:",
  ]);
  expect(JSON.parse(defined(shown[2]))).toMatchObject({ message: "Logged for the call.", code: "internal" });
  expect(shown[3]).not.toContain("Logged for");
});
