import { expect, test } from "vitest";
import { log } from "#server/base/log.ts";
import { noteAnswer } from "../last-answers.ts";

test("fails after a call whose request was logged", () => {
  log.warn("Logged for another request.", { requestId: "req_other" });
  log.error("Logged for the call.", { requestId: "req_call", code: "internal" });
  log.warn("Logged for the call's service.", { requestId: "req_service", upstreamRequestId: "req_call" });
  noteAnswer("GET /v1/runs", 500, new Headers({ "x-request-id": "req_call" }), { error: "internal" });
  expect.fail("On purpose.");
});
