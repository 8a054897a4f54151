import { type Answer, execute } from "#server/operation/execute.ts";
import { splitInput } from "#server/operation/merged-input.ts";
import type { Action } from "./action.ts";
import { pageToFit } from "./page-to-fit.ts";
import type { Message } from "./tool.ts";

interface Asked {
  input: Record<string, unknown>;
  idempotencyKey?: string | undefined;
}

/** Runs an action through the pipeline as a call of its own, by whoever sent the message. */
export function callAction(
  { operation, target }: Action,
  { input, idempotencyKey }: Asked,
  { sender }: Message,
  requestId: string,
): Promise<Answer> {
  const { serviceId, operationId } = target ?? {};
  return execute({
    ...sender,
    ...splitInput(operation, target ? { ...input, serviceId, operationId } : input),
    operation: pageToFit(operation),
    requestId,
    // As the same call over HTTP has it, so that either replays the other.
    contentType: operation.body ? "application/json" : null,
    idempotencyKeys: idempotencyKey === undefined ? [] : [idempotencyKey],
  });
}
