import type { Db, Transaction } from "#db/client.ts";
import type { Caller } from "#server/operation/caller.ts";
import type { ApprovalNeed, ApprovalRule, PlannedChange } from "#server/operation/declaration.ts";
import { ApiError, invalid, notFound } from "#server/operation/errors.ts";
import { abridged } from "#server/operation/shown-text.ts";
import { capabilitiesOf, parseCapabilityInput } from "#server/services/capabilities.ts";
import { serviceById } from "#server/services/registry.ts";
import type { Capability, ServiceDefinition } from "#server/services/service.ts";

/** The default rule: one approval, which the requester may give too. */
const ANYONE: ApprovalRule = { requiredApprovals: 1, initiatorMayApprove: true, approvers: null };

/** An operation of a service with one exact input, as approvals refer to it. */
export interface ServiceAction {
  serviceId: string;
  operationId: string;
  /** The content that is hashed. */
  payload: { serviceId: string; operationId: string; input: unknown };
  /** Returns a sentence by which a person can decide. */
  summarize(ask: { caller: Caller; db: Transaction }): Promise<string>;
  /** The sentence without anything of the input. */
  bareSummary: string;
  /** Returns the changes that it would make in the current state. */
  changes(ask: { caller: Caller; db: Db | Transaction }): Promise<PlannedChange[]>;
  /** The maximum price of the call. */
  credits: number;
  /** Returns who has to approve. */
  rule(ask: { caller: Caller; db: Transaction }): Promise<ApprovalRule>;
}

/** Returns the action to approve, if the operation needs an approval and accepts this input. */
export async function serviceAction(
  named: { serviceId: string; operationId: string; input?: unknown },
  caller: Caller,
): Promise<ServiceAction> {
  const service = serviceById(named.serviceId);
  if (!service) throw notFound("service", named.serviceId);
  const capability = capabilitiesOf(service).find(
    (candidate) =>
      candidate.id === named.operationId || candidate.approval?.operationId === named.operationId,
  );
  if (!capability)
    throw new ApiError(
      "not_found",
      `Service ${service.id} has no operation ${JSON.stringify(named.operationId)}.`,
    );
  if (!capability.requiresApproval)
    throw invalid("body.operationId", `${service.id} ${capability.id} needs no approval. Call it as it is.`);
  const need: ApprovalNeed & Pick<Capability, "check"> = capability.approval ?? needOf(service, capability);
  const { operationId, summarize, changes, rule } = need;
  const input = await parseCapabilityInput(need, named.input, "body.input", caller);
  return {
    serviceId: service.id,
    operationId,
    payload: { serviceId: service.id, operationId, input },
    summarize: ({ caller, db }) => summarize({ input, caller, db }),
    bareSummary: `${capability.title} (${service.name}).`,
    changes: async ({ caller, db }) => (await changes?.({ input, caller, db })) ?? [],
    credits: capability.price.maximum,
    rule: async ({ caller, db }) => (await rule?.({ input, caller, db })) ?? ANYONE,
  };
}

/** Returns the approval of a capability that is called directly. */
function needOf(service: ServiceDefinition, capability: Capability) {
  const { id, title, input, check, summarize, changes } = capability;
  return {
    operationId: id,
    input,
    check,
    ...(changes && { changes }),
    summarize:
      summarize ??
      (async (ask: { input: unknown }) => `${title} (${service.name}) with ${abridged(ask.input)}.`),
  };
}
