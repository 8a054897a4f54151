import { questionOf, selectorsOf } from "#server/operation/access.ts";
import type { PricedQuestion } from "#server/operation/explain-access.ts";
import type { Operation, Subject } from "#server/operation/operation.ts";
import type { Scope } from "#server/operation/scopes.ts";
import { platform } from "#server/platform.ts";
import { priceOf } from "#server/services/prices.ts";
import { services } from "#server/services/registry.ts";
import { AGGREGATES } from "./selectors.ts";

/** Something that a caller can do: an operation, or one operation of a service in one mode. */
export interface CatalogueAction {
  operation: string;
  serviceId: string;
  method: string;
  path: string;
  scope: Scope | null;
  idempotencyRequired: boolean;
  limitSelectors: string[];
  /** What decides on it; null where no key is needed. */
  question: PricedQuestion | null;
}

function actionOf(operation: Operation, subject: Subject, name: string, credits: number): CatalogueAction {
  const isPublic = operation.scope === null;
  return {
    operation: name,
    serviceId: subject.serviceId ?? "platform-api",
    method: operation.method,
    path: operation.path.replace("{serviceId}", subject.operationId ? `${subject.serviceId}` : "{serviceId}"),
    scope: operation.scope,
    idempotencyRequired: operation.idempotent,
    limitSelectors: isPublic ? [] : selectorsOf(operation, subject),
    question: isPublic ? null : { ...questionOf(operation, subject, platform().registrations), credits },
  };
}

function endpointAction(operation: Operation): CatalogueAction {
  const subject = typeof operation.service === "string" ? { serviceId: operation.service } : {};
  const price = priceOf(subject.serviceId ?? "platform-api", operation.operationId);
  return actionOf(operation, subject, operation.operationId, price.maximum);
}

/** What an operation that uses services can do with each of them. */
function serviceActions(operation: Operation): CatalogueAction[] {
  const mode = operation.id === AGGREGATES.invoke ? "invoke" : operation.id === AGGREGATES.run ? "run" : null;
  if (!mode) return [];
  return services().flatMap((service) =>
    service.capabilities
      .filter(({ modes }) => modes.includes(mode))
      .map(({ id, price }) => {
        const subject = { serviceId: service.id, operationId: id };
        return actionOf(operation, subject, `${operation.id}.${service.id}.${id}`, price.maximum);
      }),
  );
}

/** Every action of the API, in the registry's order. */
export function catalogueActions(): CatalogueAction[] {
  return platform()
    .operations.filter((operation) => operation.surfaces.includes("api"))
    .flatMap((operation) => [endpointAction(operation), ...serviceActions(operation)]);
}
