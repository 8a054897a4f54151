import { and, eq, gt, sql } from "drizzle-orm";
import { idempotencyRecords } from "#db/schema/idempotency.ts";
import { newId } from "#server/base/ids.ts";
import { platform } from "#server/platform.ts";
import type { Call } from "./call.ts";
import type { CallResponse } from "./call-response.ts";
import type { Caller } from "./caller.ts";
import { ApiError } from "./errors.ts";
import { ComponentLost, isDatabaseGone, lostWhileStored } from "./faults.ts";
import type { CallRequest } from "./operation.ts";
import { callerUuid } from "./recorder.ts";

/**
 * Returns the function by which a handler calls operations as the same caller, for batch operations. It returns a refusal
 * only if the inner call has certainly not happened; otherwise it throws, and the outer call is repeated.
 */
export function callWithin(
  call: Call,
  caller: Caller | undefined,
  execute: (call: Call) => Promise<CallResponse>,
): CallRequest["call"] {
  const { transport, credential, project, endUser, ip, userAgent, runId } = call;
  return async (operation, { params, body }, idempotencyKey) => {
    const response = await execute({
      operation,
      transport,
      credential,
      params,
      project,
      endUser,
      ip,
      userAgent,
      // The outer call stores the result of each inner one, even if its client has left.
      signal: new AbortController().signal,
      ...(runId !== undefined && { runId }),
      requestId: newId("request"),
      readQuery: () => ({}),
      readBody: async () => body,
      contentType: operation.body ? "application/json" : null,
      headerFault: null,
      idempotencyKeys: [idempotencyKey],
    });
    const { error } = response;
    if (error && (error.operationState !== "not_started" || (await mayHaveHappened(caller, idempotencyKey))))
      throw inDoubt(error);
    return response;
  };
}

/** Returns the error with an unknown outcome; that of a lost component stays one, which a run waits for. */
function inDoubt(error: ApiError): ApiError {
  const { code, message, details } = error;
  const unknown = { ...details, operationState: "unknown" } as const;
  return error instanceof ComponentLost
    ? new ComponentLost(message, unknown)
    : new ApiError(code, message, unknown);
}

/**
 * Returns whether an earlier attempt has made the inner call, or may still make it: a repeat can be refused before its
 * key is looked up, by a limit for instance.
 */
async function mayHaveHappened(caller: Caller | undefined, key: string): Promise<boolean> {
  const callerId = caller && callerUuid(caller);
  if (!callerId) return false;
  try {
    const found = await platform()
      .database.db.select({ state: idempotencyRecords.state })
      .from(idempotencyRecords)
      .where(
        and(
          eq(idempotencyRecords.accountId, caller.accountId),
          eq(idempotencyRecords.callerId, callerId),
          eq(idempotencyRecords.key, key),
          gt(idempotencyRecords.leaseUntil, sql`'-infinity'`),
        ),
      );
    return found.length > 0;
  } catch (reason) {
    throw isDatabaseGone(reason) ? lostWhileStored(reason) : reason;
  }
}
