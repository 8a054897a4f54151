import type { Operation } from "#server/operation/operation.ts";
import { fits } from "./tool-result.ts";

const fitting = new WeakMap<Operation, Operation>();

/**
 * Returns the same operation with list pages cut to the size of a tool's result. The cursor continues exactly there,
 * and the call is admitted and recorded once.
 */
export function pageToFit(operation: Operation): Operation {
  if (!operation.query || !("limit" in operation.query.shape) || !("nextCursor" in operation.output.shape))
    return operation;
  let made = fitting.get(operation);
  if (!made) {
    made = { ...operation, handler: (context) => shorten(operation, context) };
    fitting.set(operation, made);
  }
  return made;
}

async function shorten(
  operation: Operation,
  context: { query: { limit: number } },
): Promise<Record<string, unknown>> {
  let { limit } = context.query;
  for (;;) {
    const page = { ...context, query: { ...context.query, limit } };
    const output = (await operation.handler(page)) as Record<string, unknown>;
    const rows = Object.values(output).find(Array.isArray)?.length ?? 0;
    // Measures the serialised form: a handler's output may have more fields, even some that are not JSON.
    if (rows <= 1 || fits(operation.output.parse(output))) return output;
    limit = Math.floor(rows / 2);
  }
}
