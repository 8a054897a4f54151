import { expect, test } from "vitest";
import { ApiError, type ErrorCode, errorBody } from "#server/operation/errors.ts";
import { exampleId } from "#server/operation/fields.ts";
import { apiOperations } from "#server/operations.ts";
import { openApiDocument } from "#server/transports/openapi/document.ts";
import { createJudge } from "./judge.ts";
import type { Document, FuzzRequest } from "./requests.ts";

const judge = createJudge(openApiDocument(apiOperations, "") as unknown as Document);
const createProject: FuzzRequest = {
  surface: "api",
  operationId: "projects.create",
  method: "POST",
  route: "/projects",
  target: "/v1/projects",
  caller: "root",
  headers: {},
  body: "{}",
  input: "{}",
};

function judged(status: number, body: object, request = createProject) {
  return judge(request, { status, contentType: "application/json", text: JSON.stringify(body), ms: 1 });
}

function failure(code: ErrorCode) {
  return { ok: false, error: errorBody(new ApiError(code, "Refused."), exampleId("request"), "") };
}

test("accepts the errors that an operation lists, and no other status or code", () => {
  expect(judged(409, failure("already_exists"))).toBeNull();
  expect(judged(503, failure("service_unavailable"))).toBeNull();
  expect(judged(402, failure("insufficient_credits"))).toBe(
    "answers 402 insufficient_credits, which the document does not declare",
  );
  expect(judged(403, failure("quota_exceeded"))).toBe(
    "answers 403 quota_exceeded, which the document does not declare",
  );
  expect(judged(204, {})).toBe("answers 204 undefined, which the document does not declare");
});

test("refuses an error with the status of another, in the response or in its body", () => {
  expect(judged(404, failure("already_exists"))).toBe("answers already_exists with status 404");
  const { ok, error } = failure("already_exists");
  expect(judged(409, { ok, error: { ...error, status: 404 } })).toBe("answers 409 with a body that says 404");
});

test("refuses an error without an envelope, and one with a field that is not declared", () => {
  expect(judged(404, { message: "Not found" })).toMatch(/^answers outside its schema: /);
  expect(judged(409, { ...failure("already_exists"), hint: "Take another name." })).toMatch(
    /^answers outside its schema: /,
  );
});
