import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { ERRORS } from "#server/operation/errors.ts";
import type { Document, FuzzRequest } from "./requests.ts";

/** A response as received. */
export interface FuzzAnswer {
  status: number;
  contentType: string;
  text: string;
  ms: number;
}

/** The longest that any call may take. */
export const MOST_MS = 30_000;

const UNAVAILABLE = new Set(["service_unavailable", "service_timeout", "service_failed"]);

/** Returns a tool call's fault: the tool may report a failure, but the platform itself must not fail. */
function faultOfToolCall({ status, text }: FuzzAnswer): string | null {
  if (status >= 500 && !text.includes("service_unavailable")) return `answers ${status} to a tool call`;
  return /"code\\?":\\?"internal/.test(text) ? "answers internal to a tool call" : null;
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

/**
 * Creates the judge of responses: it returns a sentence about the fault, or null if the response keeps every promise.
 */
export function createJudge(document: Document) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(closed(document) as object, "document");
  const validators = new Map<string, ValidateFunction | null>();

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

  function faultOfBody(request: FuzzRequest, { status, contentType, text }: FuzzAnswer): string | null {
    if (!contentType.startsWith("application/json"))
      return status < 300 ? null : `answers ${status} as ${contentType}`;
    let body: { error?: { code?: string; status?: number } };
    try {
      body = JSON.parse(text);
    } catch {
      return "answers what is no JSON";
    }
    const code = body.error?.code;
    if (status >= 500 && !UNAVAILABLE.has(String(code))) return `answers ${status} ${code}`;
    if (code !== undefined && ERRORS[code as keyof typeof ERRORS]?.status !== status)
      return `answers ${code} with status ${status}`;
    if (body.error && body.error.status !== status)
      return `answers ${status} with a body that says ${body.error.status}`;
    const validate = validatorOf(request, status);
    if (!validate || (code !== undefined && !codesOf(request).includes(code)))
      return `answers ${status} ${code}, which the document does not declare`;
    return validate(body) ? null : `answers outside its schema: ${ajv.errorsText(validate.errors)}`;
  }

  return (request: FuzzRequest, answer: FuzzAnswer): string | null => {
    if (answer.ms > MOST_MS) return `takes ${Math.round(answer.ms)} ms`;
    return request.surface === "api" ? faultOfBody(request, answer) : faultOfToolCall(answer);
  };
}
