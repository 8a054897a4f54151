import { currentTime } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { newUuidAt, toUuid } from "#server/base/ids.ts";
import type { AuditRecord } from "#server/operation/recorder.ts";

/** Operations whose charge is made after their response, by the name under which the audit records the charge. */
export const SETTLEMENTS = {
  "runs.settle": "runs.create",
  "wallets.transactions.settle": "wallets.transactions.create",
  "swaps.settle": "swaps.execute",
  "trading.orders.settle": "trading.orders.create",
} as const;

/** The charge of an earlier request; ids as UUIDs. */
type Settlement = Pick<
  AuditRecord,
  "accountId" | "actorId" | "projectId" | "endUserId" | "requestId" | "resource" | "chargedCredits"
> & {
  operation: keyof typeof SETTLEMENTS;
  actorType: "key" | "member";
  selector?: string;
};

/**
 * The requester of the charged action, and the project and end user it was for; ids as in the API, except the caller's.
 */
export interface Requested {
  accountId: string;
  callerType: "key" | "member" | null;
  callerId: string | null;
  requestId: string | null;
  projectId: string | null;
  endUserId: string | null;
}

/** Returns the audit event of the charge of a stored transaction, swap or order. */
export function settlementOf(
  { accountId, callerType, callerId, requestId, projectId, endUserId }: Requested,
  { operation, resource, credits }: { operation: Settlement["operation"]; resource: string; credits: number },
) {
  return settlementEvent({
    operation,
    accountId: toUuid("account", accountId),
    actorType: defined(callerType),
    actorId: callerId,
    projectId: projectId && toUuid("project", projectId),
    endUserId: endUserId && toUuid("endUser", endUserId),
    requestId: defined(requestId),
    resource,
    chargedCredits: credits,
  });
}

/**
 * Returns the audit event of a charge, from which usage is computed: credits, but no request. `record_settlements` adds
 * the actor's label.
 */
export function settlementEvent({ selector, ...settlement }: Settlement): Omit<AuditRecord, "actorLabel"> {
  const at = currentTime();
  return {
    ...settlement,
    id: newUuidAt(at),
    at,
    selector: selector ?? settlement.operation,
    counted: false,
    outcome: "allowed",
    status: 200,
    errorCode: null,
    ip: null,
    userAgent: null,
    durationMs: 0,
    secretVersion: null,
  };
}
