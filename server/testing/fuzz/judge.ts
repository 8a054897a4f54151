import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { jsonSchema } from "#server/catalogue/input-schema.ts";
import { admitMessage } from "#server/mcp/admit-message.ts";
import { ERRORS, type ErrorCode } from "#server/operation/errors.ts";
import type { Operation } from "#server/operation/operation.ts";
import { errorsOf } from "#server/operation/operation-errors.ts";
import { isPermitted } from "./permitted.ts";
import type { Document, FuzzRequest } from "./requests.ts";

/** A response as received. */
export interface FuzzAnswer {
  status: number;
  contentType: string;
  text: string;
  ms: number;
}

/** The longest that any call may take. */
export const MAX_MS = 30_000;

/** The codes with which `/mcp` refuses a message before any tool runs. */
const MESSAGE_CODES: readonly string[] = errorsOf(admitMessage(() => undefined));

/** The `error` object of a failure, as received. */
interface ReceivedError {
  code?: string;
  message?: string;
  status?: number;
}

/** The message in a response of `/mcp`; a refusal before JSON-RPC has the API's envelope. */
interface ToolMessage {
  jsonrpc?: string;
  error?: ReceivedError & { data?: ReceivedError };
  result?: {
    isError?: boolean;
    structuredContent?: Record<string, unknown> & { truncated?: { hint?: string }; error?: ReceivedError };
    _meta?: { status?: number };
  };
}

/** Returns the message of a response as JSON, or as the only event of a stream; null if there is none. */
function messageIn({ contentType, text }: FuzzAnswer): ToolMessage | null {
  const json = contentType.startsWith("text/event-stream") ? /^data: (\{.*)$/m.exec(text)?.[1] : text;
  try {
    return JSON.parse(json ?? "null");
  } catch {
    return null;
  }
}

/**
 * Returns the schema with closed objects, so that undeclared fields are found; clients tolerate them, but none may be
 * sent.
 */
function closed(schema: unknown, inAllOf = false): unknown {
  if (Array.isArray(schema)) return schema.map((one) => closed(one, inAllOf));
  if (typeof schema !== "object" || schema === null) return schema;
  const isOpen =
    "properties" in schema && !("additionalProperties" in schema || "allOf" in schema || inAllOf);
  const parts = Object.entries(schema).map(([name, part]) => [name, closed(part, name === "allOf")]);
  return { ...Object.fromEntries(parts), ...(isOpen && { additionalProperties: false }) };
}

const unpermitted = (status: number | undefined, error: ReceivedError | undefined) =>
  `answers ${status} ${error?.code}: ${error?.message}`;

/**
 * Creates the judge of responses: it returns a sentence about the fault, or null if the response keeps every promise.
 */
export function createJudge(document: Document, operations: readonly Operation[]) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(closed(document) as object, "document");
  const validators = new Map<string, ValidateFunction | null>();
  const isFailure = ajv.compile({ $ref: "document#/components/schemas/Failure" });
  const tools = new Map(
    operations
      .filter(({ surfaces }) => surfaces.includes("mcp"))
      .map(({ operationId, output }) => [operationId, ajv.compile(jsonSchema(output, "output"))]),
  );

  /** Returns the document's schema of a JSON response with this status; null if it declares none. */
  function validatorOf({ route, method }: FuzzRequest, status: number): ValidateFunction | null {
    const place = `${method} ${route} ${status}`;
    const known = validators.get(place);
    if (known !== undefined) return known;
    const operation = document.paths[route]?.[method.toLowerCase()];
    // A range such as 4XX stands for the statuses of `x-error-codes`, against which the response's code is checked.
    const key = operation?.responses[status] ? status : `${Math.floor(status / 100)}XX`;
    const declared = operation?.responses[key];
    const pointer = declared?.$ref
      ? declared.$ref.slice(1)
      : `/paths/${route.replaceAll("~", "~0").replaceAll("/", "~1")}/${method.toLowerCase()}/responses/${key}`;
    const validator = declared
      ? ajv.compile({ $ref: `document#${encodeURI(pointer)}/content/application~1json/schema` })
      : null;
    validators.set(place, validator);
    return validator;
  }

  const codesOf = ({ route, method }: FuzzRequest) =>
    document.paths[route]?.[method.toLowerCase()]?.["x-error-codes"] ?? [];

  const declares = ({ route, method }: FuzzRequest, status: number) =>
    document.paths[route]?.[method.toLowerCase()]?.responses[status] !== undefined;

  const faultOf = (body: unknown, validate: ValidateFunction) =>
    validate(body) ? null : `answers outside its schema: ${ajv.errorsText(validate.errors)}`;

  /** Returns the fault of a failure's code and status; null if they are declared. */
  function faultOfError(
    status: number | undefined,
    { code, status: said }: ReceivedError,
    codes: readonly string[],
  ) {
    if (ERRORS[code as ErrorCode]?.status !== status) return `answers ${code} with status ${status}`;
    if (said !== status) return `answers ${status} with a body that says ${said}`;
    return codes.includes(String(code))
      ? null
      : `answers ${status} ${code}, which the document does not declare`;
  }

  function faultOfBody(request: FuzzRequest, { status, contentType, text }: FuzzAnswer): string | null {
    if (!contentType.startsWith("application/json")) {
      const isUnmodified = status === 304 && text === "" && declares(request, status);
      return status < 300 || isUnmodified ? null : `answers ${status} as ${contentType}`;
    }
    let body: { error?: ReceivedError };
    try {
      body = JSON.parse(text);
    } catch {
      return "answers what is no JSON";
    }
    const { error } = body;
    if (status >= 500 && !isPermitted(request.operationId, error ?? {})) return unpermitted(status, error);
    const fault = error ? faultOfError(status, error, codesOf(request)) : null;
    if (fault) return fault;
    const validate = validatorOf(request, status);
    return validate ? faultOf(body, validate) : `answers ${status}, which the document does not declare`;
  }

  /** Returns the fault of a tool call's response, which has the same fields as over HTTP. */
  function faultOfToolCall(request: FuzzRequest, answer: FuzzAnswer): string | null {
    const message = messageIn(answer);
    const { result } = message ?? {};
    const refusal = message?.jsonrpc ? message.error?.data : message?.error;
    if (refusal)
      return faultOfToolError(request, answer.status, { ok: false, error: refusal }, MESSAGE_CODES);
    if (!result?.structuredContent) return `answers ${answer.status} and no result to a tool call`;
    const { isError, structuredContent, _meta: { status } = {} } = result;
    const isResult = tools.get(request.operationId);
    if (isError)
      return faultOfToolError(
        request,
        status,
        structuredContent,
        isResult ? codesOf(request) : ["not_found"],
      );
    if (!isResult) return "answers a tool call, though tools do not offer it";
    if (structuredContent.truncated?.hint) return null;
    const { ok, ...output } = structuredContent;
    return ok === true ? faultOf(output, isResult) : "answers a tool call without ok";
  }

  function faultOfToolError(
    { operationId }: FuzzRequest,
    status: number | undefined,
    body: { ok?: unknown; error?: ReceivedError },
    codes: readonly string[],
  ): string | null {
    const { error = {} } = body;
    if (Number(status) >= 500 && !isPermitted(operationId, error)) return unpermitted(status, error);
    return faultOfError(status, error, codes) ?? faultOf(body, isFailure);
  }

  return (request: FuzzRequest, answer: FuzzAnswer): string | null => {
    if (answer.ms > MAX_MS) return `takes ${Math.round(answer.ms)} ms`;
    return request.surface === "api" ? faultOfBody(request, answer) : faultOfToolCall(request, answer);
  };
}
