import { defined } from "#server/base/defined.ts";
import { roleMayCall, selectorsOf } from "#server/operation/access.ts";
import type { Role } from "#server/operation/caller.ts";
import type { Target } from "#server/operation/declaration.ts";
import { type Operation, scopeOf } from "#server/operation/operation.ts";
import { ROLE_SCOPES } from "#server/operation/roles.ts";
import { services } from "#server/services/registry.ts";

/** A selector of exactly one operation, with the operation and the target of its calls. */
export interface ExactSelector {
  selector: string;
  operation: Operation;
  target: Target;
}

/** A selector for `limits`, and whether `creditsPerDay` can be set for it. */
interface LimitSelector {
  selector: string;
  metered: boolean;
}

const keyed = (operations: readonly Operation[]) =>
  operations.filter(({ scope, surfaces }) => scope !== null && surfaces.includes("api"));

/**
 * Returns the exact selectors for key boundaries: every operation except those open to every key; operations that use
 * services once per capability.
 */
export function exactSelectors(operations: readonly Operation[]): ExactSelector[] {
  const fixed = new Map<string, ExactSelector>();
  const dynamic: ExactSelector[] = [];
  for (const operation of keyed(operations).filter((one) => scopeOf(one) !== null)) {
    const { id, service, usesServices } = operation;
    const target = typeof service === "string" ? { serviceId: service } : {};
    if (!usesServices && !fixed.has(id)) fixed.set(id, { selector: id, operation, target });
  }
  for (const { id: serviceId, capabilities } of services())
    for (const { id: operationId, modes } of capabilities)
      for (const mode of modes)
        for (const operation of keyed(operations).filter(({ usesServices }) => usesServices === mode)) {
          const target = { serviceId, operationId };
          dynamic.push({ selector: selectorsOf(operation, target)[0], operation, target });
        }
  return [...fixed.values(), ...dynamic];
}

/** Returns the exact selectors that a role may not call, although it has the scope that they need. */
export function selectorsBeyondRole(role: Role, operations: readonly Operation[]): ExactSelector[] {
  return exactSelectors(operations).filter(({ operation }) => {
    const scope = defined(scopeOf(operation));
    return ROLE_SCOPES[role].includes(scope) && !roleMayCall(role, scope, operation.id);
  });
}

/** Returns every selector for `limits`: the exact ones, the aggregates above them, and `*`. */
export function limitSelectors(operations: readonly Operation[]): LimitSelector[] {
  const using = keyed(operations).filter(({ usesServices }) => usesServices);
  const perService = services().flatMap(({ id: serviceId }) =>
    using.map((operation) => ({ selector: selectorsOf(operation, { serviceId })[0], operation })),
  );
  return [
    { selector: "*", metered: true },
    ...[
      ...using.map((operation) => ({ selector: operation.id, operation })),
      ...perService,
      ...keyed(operations)
        .filter((operation) => scopeOf(operation) === null)
        .map((operation) => ({ selector: operation.id, operation })),
      ...exactSelectors(operations),
    ].map(({ selector, operation }) => ({ selector, metered: operation.metered ?? false })),
  ];
}

/** Returns every selector whose first registration is stored. */
export function registeredSelectors(operations: readonly Operation[]): string[] {
  return [
    ...new Set([
      // An operation for people only becomes new to keys when the API offers it.
      ...keyed(operations).map((operation) => operation.id),
      ...limitSelectors(operations)
        .slice(1)
        .map(({ selector }) => selector),
      ...services().map((service) => `service:${service.id}`),
    ]),
  ];
}
