import type { Answered, startApi } from "./api.ts";
import { createRun } from "./runs.ts";

type Api = Awaited<ReturnType<typeof startApi>>;
interface Options {
  headers?: Record<string, string>;
  idempotencyKey?: string;
}

/** Invokes an operation of `managed-workflows` with this key. */
export function invokeWorkflows(
  api: Api,
  key: string,
  operationId: string,
  input: unknown,
  options: Options = {},
): Promise<Answered> {
  return api.sendPatiently("POST", "/v1/services/managed-workflows/invoke", {
    key,
    body: { operationId, input },
    ...options,
  });
}

/** Stores a workflow with these steps; returns the stored workflow. */
export async function storeWorkflow(
  api: Api,
  key: string,
  name: string,
  steps: unknown[],
  more: { output?: unknown; inputSchema?: unknown } & Options = {},
): Promise<{ name: string; version: number; digest: string; id: string }> {
  const { output, inputSchema, ...options } = more;
  const input = { name, workflow: { name, steps, output }, inputSchema };
  const { status, body } = await invokeWorkflows(api, key, "put", input, options);
  if (status !== 200) throw new Error(`Not stored: ${JSON.stringify(body)}`);
  return body.result.workflow;
}

/** Starts a stored workflow with this key. */
export function startStored(
  api: Api,
  key: string,
  input: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Answered> {
  return createRun(api, key, { serviceId: "managed-workflows", operationId: "start", input }, headers);
}
