import type { CatalogueAction } from "#server/catalogue/actions.ts";
import type { CallResponse } from "#server/operation/call-response.ts";
import { execute } from "#server/operation/execute.ts";
import { splitInput } from "#server/operation/merged-input.ts";
import { pageToFit } from "./page-to-fit.ts";
import type { Message } from "./tool.ts";

interface ActionInput {
  input: Record<string, unknown>;
  idempotencyKey?: string | undefined;
}

/** Runs an action through the pipeline as a separate call, with the key of the message. */
export function callAction(
  { declared, capability, serviceId }: CatalogueAction,
  { input, idempotencyKey }: ActionInput,
  { sender }: Message,
  requestId: string,
): Promise<CallResponse> {
  const named = capability ? { ...input, serviceId, operationId: capability.id } : input;
  const split = splitInput(declared, named);
  return execute({
    ...sender,
    ...split,
    operation: pageToFit(declared),
    transport: "mcp",
    requestId,
    // The same values as for the call over HTTP, so that each replays the other.
    contentType: declared.body ? "application/json" : (split.sentBytes?.mediaType ?? null),
    idempotencyKeys: idempotencyKey === undefined ? [] : [idempotencyKey],
  });
}
