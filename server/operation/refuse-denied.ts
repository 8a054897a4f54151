import type { Db, Transaction } from "#db/client.ts";
import { defined } from "#server/base/defined.ts";
import type { AccessQuestion } from "./access.ts";
import type { Caller } from "./caller.ts";
import { ApiError } from "./errors.ts";
import { type ChainDecision, judgeChain } from "./explain-access.ts";

/** Refuses a call that a key of the caller's chain denies by its scopes, its services or its operations. */
export async function refuseDenied(
  db: Db | Transaction,
  caller: Caller,
  question: AccessQuestion,
): Promise<void> {
  if (caller.type !== "key") return;
  const [decision] = await judgeChain(db, caller, [question]);
  if (decision?.denied) throw refusalBy(decision.denied, question);
}

/** Returns the refusal of a call by one key and its check. */
export function refusalBy(
  { check, keyId }: NonNullable<ChainDecision["denied"]>,
  { scope, service, selectors }: Pick<AccessQuestion, "scope" | "service" | "selectors">,
): ApiError {
  switch (check) {
    case "scope":
      return new ApiError("scope_missing", `Key ${keyId} lacks the scope ${scope}.`, { check, keyId });
    case "service":
      return outsideBoundary(defined(service), keyId);
    case "operation":
      return new ApiError(
        "operation_not_allowed",
        `Operation ${selectors[0]} is outside the boundary of key ${keyId}.`,
        { check, keyId },
      );
  }
}

export function outsideBoundary(serviceId: string, keyId: string): ApiError {
  const message = `Service ${serviceId} is outside the boundary of key ${keyId}.`;
  return new ApiError("service_not_allowed", message, { check: "service", keyId });
}
