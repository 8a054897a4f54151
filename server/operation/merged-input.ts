import type { ApiError, Issue } from "./errors.ts";
import { invalidRequest, type RawInput } from "./input.ts";
import type { Operation } from "./operation.ts";

/** A call's input as a transport hands it on: faults of its form are told only once the caller has been admitted. */
export interface SplitInput {
  params: Record<string, string>;
  readQuery(): unknown;
  readBody(): Promise<unknown>;
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Splits the merged fields of an MCP or console call into path, query and body by the operation's own schemas. A
 * name that none of them knows goes to the body, or to the query where there is no body, and is refused there.
 */
export function splitInput(operation: Operation, merged: unknown): SplitInput {
  const fields = merged ?? {};
  if (!isFields(fields)) return faulty([{ path: "input", message: "Send an object of fields." }]);
  const raw = partsOf(operation, fields);
  const issues = Object.keys(operation.params?.shape ?? {})
    .filter((name) => raw.params[name] === undefined)
    .map((name) => ({ path: name, message: "Send it as text." }));
  if (issues.length > 0) return { ...faulty(issues), params: raw.params };
  return { params: raw.params, readQuery: () => raw.query, readBody: async () => raw.body };
}

function partsOf(operation: Operation, fields: Record<string, unknown>): RawInput {
  const { params = null, query = null, body = null } = operation;
  const has = (schema: typeof params, name: string) => schema !== null && Object.hasOwn(schema.shape, name);
  const entries = Object.entries(fields);
  const path = entries.filter(([name]) => has(params, name));
  const rest = entries.filter(([name]) => !has(params, name));
  const inQuery = ([name]: [string, unknown]) => (body ? has(query, name) : true);
  return {
    params: Object.fromEntries(
      path.flatMap(([name, value]) =>
        typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [],
      ),
    ),
    query: Object.fromEntries(rest.filter(inQuery)),
    body: body ? Object.fromEntries(rest.filter((entry) => !inQuery(entry))) : undefined,
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
