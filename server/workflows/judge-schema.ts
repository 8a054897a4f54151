import { ApiError, type Issue } from "#server/operation/errors.ts";
import { storable } from "#server/operation/storable.ts";
import { createConfined } from "./confined.ts";
import { SCHEMAS } from "./confined-child.ts";
import type { SchemaTask, SchemaVerdict } from "./schema-process.ts";

/** One pool for all calls: a customer's schema may take endless time or memory to compile or apply. */
const ask = createConfined(SCHEMAS, {});

async function judge(accountId: string, task: SchemaTask): Promise<SchemaVerdict> {
  try {
    return JSON.parse(await ask(accountId, "The schema", () => JSON.stringify(task)));
  } catch (reason) {
    if (reason instanceof ApiError && reason.code === "query_limit_exceeded")
      return { fault: reason.message };
    throw reason;
  }
}

/** Returns why a customer's JSON Schema (2020-12) cannot be used, or null. */
export async function faultOfSchema(accountId: string, schema: SchemaTask["schema"]): Promise<string | null> {
  const { fault } = await judge(accountId, { schema });
  return fault === undefined ? null : storable(fault, 1000);
}

/** Returns the faults of a value by a customer's schema, with paths within the value. */
export async function faultsBySchema(
  accountId: string,
  schema: SchemaTask["schema"],
  value: unknown,
): Promise<Issue[]> {
  const { fault, issues = [] } = await judge(accountId, { schema, value: value ?? null });
  if (fault !== undefined) return [{ path: "", message: `It could not be judged: ${storable(fault, 1000)}` }];
  return issues.map(({ path, message }) => ({ path: storable(path, 500), message: storable(message, 1000) }));
}
