import { expect, test } from "vitest";
import { ApiError, type ErrorCode, errorBody } from "#server/operation/errors.ts";
import { exampleId } from "#server/operation/fields.ts";
import { everyApiOperation } from "#server/operations.ts";
import { openApiDocument } from "#server/transports/openapi/document.ts";
import { createJudge } from "./judge.ts";
import type { Document, FuzzRequest } from "./requests.ts";

const document = openApiDocument(everyApiOperation, "") as unknown as Document;
const judge = createJudge(document, everyApiOperation);
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

const topUp: FuzzRequest = {
  ...createProject,
  operationId: "credits.x402.topUp",
  route: "/credits/x402/top-up",
  target: "/v1/credits/x402/top-up",
};
const byTool: FuzzRequest = { ...createProject, surface: "mcp" };
const project = {
  id: exampleId("project"),
  name: "Web shop",
  slug: "web-shop",
  description: null,
  metadata: {},
  status: "active",
  createdAt: "2027-01-31T12:00:00.000Z",
  updatedAt: "2027-01-31T12:00:00.000Z",
  archivedAt: null,
};

function judged(status: number, body: object, request = createProject) {
  return judge(request, { status, contentType: "application/json", text: JSON.stringify(body), ms: 1 });
}

/** Judges a tool's result, as `/mcp` answers it. */
function judgedOfTool(status: number, structuredContent: object) {
  const result = { content: [], structuredContent, isError: status >= 400, _meta: { status } };
  return judged(200, { jsonrpc: "2.0", id: 1, result }, byTool);
}

function failure(code: ErrorCode, message = "Refused.") {
  return { ok: false, error: errorBody(new ApiError(code, message), exampleId("request"), "") };
}

test("accepts the errors that an operation lists, and no other status or code", () => {
  expect(judged(409, failure("already_exists"))).toBeNull();
  expect(judged(402, failure("insufficient_credits"))).toBe(
    "answers 402 insufficient_credits, which the document does not declare",
  );
  expect(judged(403, failure("quota_exceeded"))).toBe(
    "answers 403 quota_exceeded, which the document does not declare",
  );
  expect(judged(204, {})).toBe("answers 204, which the document does not declare");
});

test("accepts that bytes are not modified where the document declares it, and without a body", () => {
  const bytes = { status: 304, contentType: "", text: "", ms: 1 };
  const archive = {
    ...createProject,
    operationId: "databases.transfers.archive",
    method: "GET",
    route: "/databases/transfers/{transferId}/archive",
  };
  expect(judge(archive, bytes)).toBeNull();
  expect(judge(archive, { ...bytes, text: "PK" })).toBe("answers 304 as ");
  expect(judge(createProject, bytes)).toBe("answers 304 as ");
});

test("refuses a failure of the platform's, unless its message is permitted to the operation", () => {
  const missing = failure("service_unavailable", "Credits can't be bought here: X402_PAY_TO is not set.");
  expect(judged(503, missing, topUp)).toBeNull();
  expect(judged(503, missing)).toBe(
    "answers 503 service_unavailable: Credits can't be bought here: X402_PAY_TO is not set.",
  );
  for (const code of ["internal", "service_failed", "service_unavailable", "service_timeout"] as const) {
    const { error } = failure(code);
    expect(judged(error.status, failure(code), topUp)).toBe(`answers ${error.status} ${code}: Refused.`);
    expect(judgedOfTool(error.status, failure(code))).toBe(`answers ${error.status} ${code}: Refused.`);
  }
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

test("holds a tool's result to the operation's schema, unless it is an excerpt", () => {
  expect(judgedOfTool(201, { ok: true, project })).toBeNull();
  expect(judgedOfTool(201, { ok: true, project, hint: "Take it." })).toMatch(/^answers outside its schema: /);
  expect(judgedOfTool(201, { ok: true, project: { ...project, accountId: exampleId("account") } })).toMatch(
    /^answers outside its schema: /,
  );
  const truncated = { bytes: 200_000, omitted: ["project"], hint: "Ask for less." };
  expect(judgedOfTool(201, { ok: true, truncated })).toBeNull();
});

test("holds a tool's error to the envelope and to the errors that the operation lists", () => {
  expect(judgedOfTool(409, failure("already_exists"))).toBeNull();
  expect(judgedOfTool(402, failure("insufficient_credits"))).toBe(
    "answers 402 insufficient_credits, which the document does not declare",
  );
  expect(judgedOfTool(409, { ...failure("already_exists"), hint: "Take another name." })).toMatch(
    /^answers outside its schema: /,
  );
});

test("accepts the refusal of a message, and no response without a result", () => {
  expect(judged(401, failure("unauthenticated"), byTool)).toBeNull();
  const { error: data } = failure("invalid_json");
  const error = { code: -32_700, message: data.message, data };
  expect(judged(400, { jsonrpc: "2.0", id: null, error }, byTool)).toBeNull();
  expect(judged(200, { jsonrpc: "2.0", id: 1, error: { code: -32_603, message: "Failed" } }, byTool)).toBe(
    "answers 200 and no result to a tool call",
  );
});
