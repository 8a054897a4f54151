import { z } from "zod";
import { operation } from "#server/operation/operation.ts";

/** An operation that every key may call and that fails with an unexpected error. */
export const failingOperation = operation({
  id: "test.fail",
  method: "GET",
  path: "/test/fail",
  summary: "Fail",
  scope: "projects:read",
  output: z.object({}),
  handler: () => Promise.reject(new Error("It failed.")),
});
