import { z } from "zod";
import { ApiError, type Issue, notFound } from "./errors.ts";
import { exactNumber, toNumbers } from "./exact-numbers.ts";
import { issueText } from "./issue-text.ts";
import type { Operation } from "./operation.ts";
import { MAX_ISSUES, textFault, unstorable } from "./storable.ts";

const MAX_PATH = 300;
const MAX_MESSAGE = 1000;
/**
 * Inputs with more values than this are checked up to their first fault only: creating a fault costs as much
 * as checking a hundred values.
 */
export const EVERY_FAULT_VALUES = 5000;

/** A request's input before it is read. Each function throws if its part cannot be read. */
export interface RawInput {
  params: Record<string, string>;
  readQuery(): unknown;
  readBody(): Promise<unknown>;
  /** Returns the headers that describe raw bytes. */
  readHeaders?(): Record<string, string>;
}

export interface ParsedInput {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
  headers?: Record<string, unknown>;
}

/**
 * Validates path, query, headers of raw bytes and body by the operation's schemas, and reports every fault at
 * once. `at` is when the call was admitted.
 */
export async function parseInput(operation: Operation, raw: RawInput, at: Date): Promise<ParsedInput> {
  const schemas = strictSchemas(operation);
  const issues: Issue[] = [];
  const sentQuery = await readPart(raw.readQuery, issues);
  const sentHeaders = await readPart(raw.readHeaders ?? (() => ({})), issues);
  const sentBody = await readPart(raw.readBody, issues);
  const query = sentQuery
    ? checkQuery(schemas.query, sentQuery.value as Record<string, unknown>, issues)
    : {};
  const headers =
    operation.raw && sentHeaders && checkHeaders(operation.raw.headers, sentHeaders.value, issues);
  const body = sentBody ? checkBody(schemas.body, sentBody.value, operation, issues) : {};
  if (issues.length > 0) {
    if (operation.bodyFaults && isFields(sentBody?.value))
      issues.push(...operation.bodyFaults(sentBody.value, at));
    throw invalidRequest(issues);
  }
  // Parameters are checked last: a malformed id is reported like one that does not exist.
  for (const [name, value] of Object.entries(raw.params))
    if (textFault(value) !== null) throw notFound(nounOf(operation, name), value.toWellFormed());
  const params = schemas.params?.safeParse(raw.params);
  if (params && !params.success) {
    const name = String(params.error.issues[0]?.path[0] ?? "id");
    throw notFound(nounOf(operation, name), raw.params[name] ?? "");
  }
  return {
    params: (params?.data as Record<string, unknown>) ?? {},
    query,
    body,
    ...(headers && { headers }),
  };
}

/** Reads one part of the input; returns null if its faults prevent reading it. */
async function readPart<Value>(
  read: () => Value | Promise<Value>,
  issues: Issue[],
): Promise<{ value: Value } | null> {
  try {
    return { value: await read() };
  } catch (reason) {
    if (!(reason instanceof ApiError) || reason.code !== "invalid_request") throw reason;
    // Parts of a merged input report the same faults; each is listed once.
    issues.push(...(reason.details.issues ?? []).filter((issue) => !issues.includes(issue)));
    return null;
  }
}

function checkBody(
  schema: z.ZodObject | undefined,
  sent: unknown,
  { secretFields = [], writtenNumbers }: Operation,
  issues: Issue[],
): Record<string, unknown> {
  if (!schema) {
    if (sent !== undefined && !isEmpty(sent)) issues.push(...unknownFields(sent));
    return {};
  }
  const faults = unstorable(sent ?? {}, secretFields);
  issues.push(...faults);
  if (faults.length > 0) return {};
  const found: Issue[] = [];
  const body = toNumbers(sent === undefined ? {} : sent, "body", found, writtenNumbers);
  issues.push(...found);
  return found.length === 0 ? check(schema, body, "body", issues) : {};
}

/**
 * Returns the noun for the resource that a path parameter names: the title of its id, else the parameter's
 * name.
 */
function nounOf(operation: Operation, param: string): string {
  const field: z.ZodType | undefined = operation.params?.shape[param];
  return (
    field?.meta()?.title ??
    param.replace(/Id$/, "").replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
  );
}

export function invalidRequest(issues: Issue[]): ApiError {
  const named = issues.slice(0, MAX_ISSUES).map(shorten);
  const [first] = named;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : "";
  return new ApiError("invalid_request", `${first?.path}: ${first?.message}${more}`, { issues: named });
}

/** Shortens field names, which the caller chose and which may be as long as the body. */
function shorten(issue: Issue): Issue {
  const { path, message } = issue;
  if (path.length <= MAX_PATH && message.length <= MAX_MESSAGE) return issue;
  return { path: clip(path, MAX_PATH), message: clip(message, MAX_MESSAGE) };
}

function clip(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text;
}

/** True if the value is an object of fields and not a list. */
export function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEmpty(body: unknown): boolean {
  return typeof body === "object" && body !== null && Object.keys(body).length === 0;
}

function unknownFields(body: unknown): Issue[] {
  if (!isFields(body)) return [{ path: "body", message: "The operation takes no body." }];
  return Object.keys(body).map((key) => ({ path: `body.${key}`, message: "Unknown field." }));
}

type Strict = Record<"params" | "query" | "body", z.ZodObject | undefined>;
const strict = new WeakMap<Operation, Strict>();

function strictSchemas(operation: Operation): Strict {
  let schemas = strict.get(operation);
  if (!schemas) {
    const { params, query, body } = operation;
    // A body schema that is declared with a catch-all takes further fields.
    schemas = { params, query: query?.strict(), body: body?.def.catchall ? body : body?.strict() };
    strict.set(operation, schemas);
  }
  return schemas;
}

function checkQuery(
  schema: z.ZodObject | undefined,
  fields: Record<string, unknown>,
  issues: Issue[],
): Record<string, unknown> {
  const faulty = Object.entries(fields).flatMap(([name, value]) => {
    const known = schema && Object.hasOwn(schema.shape, name);
    // Transports other than HTTP pass values that are not text; the schema judges those.
    const fault = !known ? "Unknown query parameter." : typeof value === "string" ? textFault(value) : null;
    return fault ? [{ path: `query.${name}`, message: fault }] : [];
  });
  issues.push(...faulty);
  if (!schema || faulty.length > 0) return {};
  const read = Object.entries(fields).map(([name, value]) => [name, readField(schema.shape[name], value)]);
  return check(schema, Object.fromEntries(read), "query", issues);
}

/** Converts a query field, which is text, to a number if the schema wants one and the conversion is exact. */
function readField(field: z.core.$ZodType, value: unknown): unknown {
  if (field instanceof z.ZodDefault || field instanceof z.ZodOptional)
    return readField(field.unwrap(), value);
  return field instanceof z.ZodNumber && typeof value === "string" ? (exactNumber(value) ?? value) : value;
}

function checkHeaders(
  schema: z.ZodObject,
  headers: Record<string, string>,
  issues: Issue[],
): Record<string, unknown> {
  const faulty = Object.entries(headers).flatMap(([name, value]) => {
    const fault = textFault(value);
    return fault ? [{ path: `header.${name}`, message: fault }] : [];
  });
  const found: Issue[] = [];
  const checked = faulty.length === 0 ? check(schema, headers, "header", found) : {};
  issues.push(...[...faulty, ...found].map((issue) => ({ ...issue, path: issue.path.toLowerCase() })));
  return checked;
}

function check(schema: z.ZodObject, value: unknown, where: string, issues: Issue[]): Record<string, unknown> {
  const result = readWith(schema, value, where);
  if (!result.issues) return result.data;
  issues.push(...result.issues);
  return {};
}

/** Parses a value by its schema, or returns its faults: all of them, or only the first for a large value. */
export function readWith<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  where: string,
): { data: z.output<Schema>; issues: null } | { data: null; issues: Issue[] } {
  const large = hasMoreValues(value, EVERY_FAULT_VALUES);
  const result = schema.safeParse(value, large ? FIRST_FAULT : EVERY_FAULT);
  if (result.success) return { data: result.data, issues: null };
  const issues = issuesOf(result.error, where);
  if (!large) return { data: null, issues };
  const more = `There may be more faults: of an input of over ${EVERY_FAULT_VALUES} values only the first is named.`;
  return {
    data: null,
    issues: issues.slice(0, MAX_ISSUES).map(({ path, message }) => ({ path, message: `${message} ${more}` })),
  };
}

const EVERY_FAULT = { error: issueText };
// The option that zod's own `validate` sets; it stops at the first fault.
const FIRST_FAULT: typeof EVERY_FAULT = Object.assign({ abortEarly: true }, EVERY_FAULT);

/** True if the value contains more than `most` values. */
export function hasMoreValues(root: unknown, most: number): boolean {
  let left = most;
  const passes = (value: unknown): boolean => {
    left -= 1;
    if (left < 0) return true;
    return typeof value === "object" && value !== null && Object.values(value).some(passes);
  };
  return passes(root);
}

/** Returns zod's issues in the API's form. */
export function issuesOf(error: z.ZodError, where: string): Issue[] {
  return error.issues.flatMap((issue) => {
    const path = [where, ...issue.path.map(String)].join(".");
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => ({ path: `${path}.${key}`, message: "Unknown field." }));
    return [{ path, message: issue.message }];
  });
}
