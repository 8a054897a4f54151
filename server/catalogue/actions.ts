import type { Db, Transaction } from "#db/client.ts";
import { questionOf, selectorsOf } from "#server/operation/access.ts";
import type { Caller } from "#server/operation/caller.ts";
import type { Target } from "#server/operation/declaration.ts";
import { type Denial, explainAccess, type PricedQuestion } from "#server/operation/explain-access.ts";
import { type Operation, scopeOf } from "#server/operation/operation.ts";
import type { Scope } from "#server/operation/scopes.ts";
import { platform } from "#server/platform.ts";
import { priceOf } from "#server/services/prices.ts";
import { services } from "#server/services/registry.ts";
import type { Capability } from "#server/services/service.ts";

/** An action of a caller: an operation, or one operation of a service in one mode. */
export interface CatalogueAction {
  operation: string;
  serviceId: string;
  method: string;
  path: string;
  scope: Scope | null;
  idempotencyRequired: boolean;
  limitSelectors: string[];
  /** The access question that decides on it; null if no key is needed. */
  question: PricedQuestion | null;
  /** Its declaration; for an operation of a service, that of the invoking operation. */
  declared: Operation;
  /** The service's capability; null for an operation of the platform. */
  capability: Capability | null;
}

function actionOf(
  operation: Operation,
  subject: Target,
  name: string,
  credits: number,
  capability: Capability | null = null,
): CatalogueAction {
  const isPublic = operation.scope === null;
  return {
    operation: name,
    serviceId: subject.serviceId ?? "platform-api",
    method: operation.method,
    path: operation.path.replace("{serviceId}", subject.operationId ? `${subject.serviceId}` : "{serviceId}"),
    scope: scopeOf(operation),
    idempotencyRequired: operation.idempotent,
    limitSelectors: isPublic ? [] : selectorsOf(operation, subject),
    question: isPublic ? null : { ...questionOf(operation, subject, platform().registrations), credits },
    declared: operation,
    capability,
  };
}

function endpointAction(operation: Operation): CatalogueAction {
  const subject = typeof operation.service === "string" ? { serviceId: operation.service } : {};
  const price = priceOf(subject.serviceId ?? "platform-api", operation.operationId);
  return actionOf(operation, subject, operation.operationId, price.maximum);
}

/** Returns the actions of an operation that uses services, one per capability. */
function serviceActions(operation: Operation): CatalogueAction[] {
  const mode = operation.usesServices;
  if (!mode) return [];
  return services().flatMap((service) =>
    service.capabilities
      .filter(({ modes }) => modes.includes(mode))
      .map((capability) => {
        const { id, price } = capability;
        const subject = { serviceId: service.id, operationId: id };
        const name = `${operation.id}.${service.id}.${id}`;
        return actionOf(operation, subject, name, price.maximum, capability);
      }),
  );
}

/** Returns every action of these operations, in order. */
export function catalogueActions(operations: readonly Operation[]): CatalogueAction[] {
  return operations.flatMap((operation) => [endpointAction(operation), ...serviceActions(operation)]);
}

/** Returns for each action the check that would refuse the caller now; null if none would. */
export async function denialsOf(
  db: Db | Transaction,
  caller: Caller,
  actions: readonly CatalogueAction[],
): Promise<(Denial | null)[]> {
  const questions = actions.flatMap(({ question }) => question ?? []);
  const denials = await explainAccess(db, caller, questions);
  const denied = new Map(questions.map((question, nth) => [question, denials[nth] ?? null]));
  return actions.map(({ question }) => (question && denied.get(question)) ?? null);
}
