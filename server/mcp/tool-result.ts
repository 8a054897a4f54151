import type { CallToolResult } from "@modelcontextprotocol/server";
import type { CallResponse } from "#server/operation/call-response.ts";
import type { ApiError } from "#server/operation/errors.ts";
import { parseKeepingDigits } from "#server/operation/json-text.ts";

/** The maximum size of a tool's result as JSON. */
const MAX_BYTES = 100 * 1024;
/** Space for the rest of the result: request id, headers, the message around it. */
const FRAME_BYTES = 4 * 1024;
/** The maximum number of faults listed from an error. */
const MAX_ISSUES = 20;
const MAX_TEXT = 500;
/** How much of an oversized response is shown; escaping may double it. */
const EXCERPT_BYTES = 32 * 1024;

type Fields = Record<string, unknown>;

/** True if a response fits into a result, which contains it twice: structured, and as text for older clients. */
export function fits(answer: object): boolean {
  const json = JSON.stringify(answer);
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json)) <= MAX_BYTES - FRAME_BYTES;
}

/** Converts the pipeline's response to a tool's result; `fieldPrefix` locates the caller's fields. */
export function toolResult(answer: CallResponse, requestId: string, fieldPrefix: string): CallToolResult {
  const _meta = { requestId, status: answer.status, headers: answer.headers };
  if (answer.error) return { ...errorResult(answer.error, JSON.parse(answer.body), fieldPrefix), _meta };
  const structuredContent = parseKeepingDigits<Fields>(answer.body);
  if (!fits(structuredContent)) return { ...excerptOf(structuredContent, answer.body), _meta };
  const { nextCursor } = structuredContent;
  const more = `There is more: call again with the same input and the cursor ${JSON.stringify(nextCursor)}.`;
  return {
    content: [
      { type: "text", text: answer.body },
      ...(typeof nextCursor === "string" ? [{ type: "text" as const, text: more }] : []),
    ],
    structuredContent,
    _meta,
  };
}

/**
 * Returns an error in the form a model can act on: its code, the faulty fields as sent, and whether anything happened.
 */
function errorResult(reason: ApiError, envelope: { error: Fields }, fieldPrefix: string): CallToolResult {
  const { issues: given = [], retryAfterSeconds } = reason.details;
  let message = reason.message.replace(/(?:an )?Idempotency-Key(?: header)?/g, "idempotencyKey");
  const [first] = given;
  if (first && message.startsWith(`${first.path}: `))
    message = fieldOf(first.path, fieldPrefix) + message.slice(first.path.length);
  message = truncate(message);
  const issues = reason.code.startsWith("idempotency_key")
    ? [{ path: "idempotencyKey", message }]
    : given.slice(0, MAX_ISSUES).map((issue) => ({
        path: truncate(fieldOf(issue.path, fieldPrefix)),
        message: truncate(issue.message),
      }));
  const lines = [
    `${reason.code}: ${message}`,
    ...issues
      .slice(message.startsWith(`${issues[0]?.path}: `) ? 1 : 0)
      .map((issue) => `- ${issue.path}: ${issue.message}`),
    ...(retryAfterSeconds === undefined ? [] : [`Try again after ${retryAfterSeconds} s.`]),
    `operationState: ${reason.operationState}`,
  ];
  return {
    isError: true,
    content: [{ type: "text", text: lines.join("\n") }],
    structuredContent: {
      ok: false,
      error: { ...envelope.error, message, ...(issues.length > 0 && { issues }) },
    },
  };
}

function truncate(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

/** `body.name` → `input.name` for an executor, `name` for a tool that takes the fields themselves. */
function fieldOf(path: string, prefix: string): string {
  if (path.startsWith("arguments.")) return path.slice("arguments.".length);
  return prefix + path.replace(/^(?:query|body)\./, "");
}

/** Returns the response's small fields and its beginning, if the whole is too large. */
function excerptOf(answer: Fields, json: string): CallToolResult {
  const small = Object.entries(answer).filter(([, value]) => JSON.stringify(value).length <= 1000);
  const omitted = Object.keys(answer).filter((name) => !small.some(([kept]) => kept === name));
  const bytes = Buffer.byteLength(json);
  const hint = `The answer has ${bytes} bytes, more than the ${MAX_BYTES} of a tool's result. Ask for less: a lower limit, going on with cursor, or a narrower input. A repeat with the same idempotencyKey changes nothing.`;
  const structuredContent = { ...Object.fromEntries(small), truncated: { bytes, omitted, hint } };
  const beginning = new TextDecoder().decode(Buffer.from(json).subarray(0, EXCERPT_BYTES), { stream: true });
  return {
    content: [
      { type: "text", text: `${hint} It begins:` },
      { type: "text", text: beginning },
    ],
    structuredContent,
  };
}
