import { createHash } from "node:crypto";
import { credentialOf } from "#server/members/initiator.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import { execute } from "#server/operation/execute.ts";
import { MESSAGE_DEPTH } from "#server/operation/json-body.ts";
import { isDeeper, parseKeepingDigits } from "#server/operation/json-text.ts";
import { platform } from "#server/platform.ts";
import type { ClaimedRun } from "./claim-runs.ts";
import type { CallInput } from "./run-context.ts";

/**
 * The response to a call: its body, or the seconds until it can be repeated, because a limit is exhausted or an earlier
 * worker's call is still running.
 */
type Called = { body: Record<string, unknown>; chargedCredits: number } | { retryAfterSeconds: number };

/** The maximum length of a response: twice that of a workflow's outputs. */
const MAXIMUM_CHARACTERS = 8 * 1024 * 1024;

/**
 * Calls an operation through the whole pipeline: judged, limited, charged and audited like any call of the run's
 * creator. The idempotency key consists of run and step, so that a repeat after a crash gets the first response.
 */
export async function callOperation(
  run: ClaimedRun,
  caller: Caller,
  call: {
    name: string;
    operationId: string;
    input: CallInput;
    requestId: string;
    signal: AbortSignal;
    /** The number of ancestors of the run that it creates, if the step waits for that run. */
    runDepth?: number;
  },
): Promise<Called> {
  const { name, operationId, input, requestId, signal, runDepth = 0 } = call;
  const operation = platform().operations.find(
    (known) => known.operationId === operationId && known.surfaces.includes("api") && !known.stream,
  );
  if (!operation) throw new ApiError("not_found", `No operation ${operationId}.`);
  if (operation.secretOutput)
    throw new ApiError("operation_not_allowed", `${operationId} answers a secret, which no run may hold.`);
  const answer = await execute({
    operation,
    transport: "run",
    requestId,
    runId: run.id,
    runDepth,
    credential: credentialOf({ accountId: caller.accountId, callerId: caller.id, hash: run.keyHash }, run.id),
    params: input.params ?? {},
    readQuery: () => input.query ?? {},
    readBody: async () => input.body,
    contentType: operation.body ? "application/json" : null,
    project: caller.project?.id ?? null,
    endUser: caller.endUser?.externalId ?? null,
    headerFault: null,
    idempotencyKeys: operation.idempotent
      ? [`${run.id}:${createHash("sha256").update(name).digest("hex")}`]
      : [],
    ip: null,
    userAgent: `run ${run.id}`,
    signal,
  });
  if (answer.error) {
    const { code, details } = answer.error;
    const { limit, retryAfterSeconds = 1 } = details;
    const isFull = code === "limit_exhausted" && limit?.kind !== "creditsPerDay";
    if (isFull || code === "idempotency_in_progress") return { retryAfterSeconds };
    throw answer.error;
  }
  refuseUnbounded(answer.body, operationId);
  const { ok: _, ...body } = parseKeepingDigits<Record<string, unknown>>(answer.body);
  return { body, chargedCredits: Number(answer.headers["x-service-credits-charged"] ?? 0) };
}

/** Parsing, storing and evaluating a response takes the time of the worker, which all runs share. */
function refuseUnbounded(answer: string, operationId: string): void {
  const excess =
    answer.length > MAXIMUM_CHARACTERS
      ? `${MAXIMUM_CHARACTERS} characters`
      : isDeeper(answer, MESSAGE_DEPTH)
        ? `${MESSAGE_DEPTH} levels`
        : null;
  if (excess === null) return;
  const message = `${operationId} answered JSON of more than ${excess}, which no run can hold. Ask for less of it, or for text.`;
  throw new ApiError("query_limit_exceeded", message, { operationState: "completed" });
}
