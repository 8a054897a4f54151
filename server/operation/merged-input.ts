import { z } from "zod";
import type { ApiError, Issue } from "./errors.ts";
import { isWrittenNumber } from "./exact-numbers.ts";
import { invalidRequest, isFields, issuesOf } from "./input.ts";
import type { Operation } from "./operation.ts";
import type { SentBytes } from "./upload.ts";

/** A call's input as the transport passes it on: malformed input is reported only after admission. */
export interface SplitInput {
  params: Record<string, string>;
  readQuery(): unknown;
  readBody(): Promise<unknown>;
  sentBytes?: SentBytes;
}

/** The fields that carry raw bytes in a call that is JSON as a whole (MCP, console). */
export const ContentFields = z.object({
  "Content-Type": z
    .string()
    .optional()
    .meta({
      description: "Media type of the content; `application/octet-stream` by default.",
      examples: ["text/plain"],
    }),
  content: z
    .string()
    .meta({ description: "The content, as text or base64 (see `encoding`).", examples: ["Hello, world."] }),
  encoding: z
    .enum(["utf8", "base64"])
    .default("utf8")
    .describe("How `content` is encoded: `utf8` text, or `base64` of the bytes."),
});

/**
 * Splits the merged fields of an MCP or console call into path, query and body by the operation's schemas.
 * Unknown fields go to the body, or to the query if there is no body, and are refused there.
 */
export function splitInput(operation: Operation, merged: unknown): SplitInput {
  const fields = merged ?? {};
  if (!isFields(fields)) return faulty([{ path: "input", message: "Send an object of fields." }]);
  if (operation.raw) return splitUpload(operation, fields);
  const raw = partsOf(operation, fields);
  const issues = [
    ...Object.keys(operation.params?.shape ?? {}).filter((name) => raw.params[name] === undefined),
    ...raw.unsendable,
  ].map((name) => ({ path: name, message: "Send it as text or a number." }));
  if (issues.length > 0) return { ...faulty(issues), params: raw.params };
  return { params: raw.params, readQuery: () => raw.query, readBody: async () => raw.body };
}

/** Returns a value as path or query text; undefined if it is not a scalar. */
function asText(value: unknown): string | undefined {
  if (isWrittenNumber(value)) return value.rawJSON;
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
}

function partsOf(operation: Operation, fields: Record<string, unknown>) {
  const { params = null, query = null, body = null } = operation;
  const has = (schema: typeof params, name: string) => schema !== null && Object.hasOwn(schema.shape, name);
  const inPath: [string, string][] = [];
  const inQuery: [string, string][] = [];
  const inBody: [string, unknown][] = [];
  const unsendable: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const text = asText(value);
    if (body && !has(params, name) && !has(query, name)) inBody.push([name, value]);
    else if (text === undefined) unsendable.push(name);
    else (has(params, name) ? inPath : inQuery).push([name, text]);
  }
  return {
    params: Object.fromEntries(inPath),
    query: Object.fromEntries(inQuery),
    body: body ? Object.fromEntries(inBody) : undefined,
    unsendable: unsendable.filter((name) => !has(params, name)),
  };
}

/** Separates the bytes and the headers that describe them from the fields of an upload. */
function splitUpload({ raw, ...operation }: Operation, fields: Record<string, unknown>): SplitInput {
  const described = Object.keys(raw?.headers.shape ?? {});
  const own = Object.keys(ContentFields.shape);
  const others = Object.entries(fields).filter(([name]) => ![...described, ...own].includes(name));
  const rest = splitInput(operation as Operation, Object.fromEntries(others));
  const sent = ContentFields.safeParse(Object.fromEntries(own.map((name) => [name, fields[name]])));
  if (!sent.success) return { ...faulty(issuesOf(sent.error, "input")), params: rest.params };
  const bytes = Buffer.from(sent.data.content, sent.data.encoding);
  const headers = new Map(described.map((name) => [name.toLowerCase(), asText(fields[name])]));
  return {
    ...rest,
    sentBytes: {
      header: (name) => [headers.get(name)].flatMap((value) => value ?? []),
      length: bytes.length,
      mediaType: sent.data["Content-Type"] ?? null,
      encoding: null,
      content: (async function* () {
        yield bytes;
      })(),
    },
  };
}

function faulty(issues: Issue[]): SplitInput {
  const refuse = (): ApiError => invalidRequest(issues);
  return {
    params: {},
    readQuery() {
      throw refuse();
    },
    readBody: async () => {
      throw refuse();
    },
  };
}
