import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { ERRORS } from "#server/operation/errors.ts";
import type { Document, FuzzRequest } from "./requests.ts";

/** An answer as it came over the wire. */
export interface FuzzAnswer {
  status: number;
  contentType: string;
  text: string;
  ms: number;
}

/** No call takes longer, whatever it is sent. */
export const MOST_MS = 30_000;

const UNAVAILABLE = new Set(["service_unavailable", "service_timeout", "service_failed"]);

/** What is wrong with the answer to a tool call: the tool's own failure may not be the platform's. */
function faultOfToolCall({ status, text }: FuzzAnswer): string | null {
  if (status >= 500 && !text.includes("service_unavailable")) return `answers ${status} to a tool call`;
  return /"code\\?":\\?"internal/.test(text) ? "answers internal to a tool call" : null;
}

/** The same schema, in which objects have no fields but those that it names: clients bear more, and none is to be sent. */
function closed(schema: unknown, inAllOf = false): unknown {
  if (Array.isArray(schema)) return schema.map((one) => closed(one, inAllOf));
  if (typeof schema !== "object" || schema === null) return schema;
  const isOpen =
    "properties" in schema && !("additionalProperties" in schema || "allOf" in schema || inAllOf);
  const parts = Object.entries(schema).map(([name, part]) => [name, closed(part, name === "allOf")]);
  return { ...Object.fromEntries(parts), ...(isOpen && { additionalProperties: false }) };
}

/** Makes what finds the fault of an answer: it returns a sentence, or null where the answer keeps every promise. */
export function createJudge(document: Document) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(closed(document) as object, "document");
  const validators = new Map<string, ValidateFunction | null>();

  /** The schema that the document declares for a JSON answer with this status; null where it declares none. */
  function validatorOf({ route, method }: FuzzRequest, status: number): ValidateFunction | null {
    const place = `${method} ${route} ${status}`;
    const known = validators.get(place);
    if (known !== undefined) return known;
    const operation = document.paths[route]?.[method.toLowerCase()];
    // A range stands for the statuses of `x-error-codes`, which an answer's code is held to.
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
