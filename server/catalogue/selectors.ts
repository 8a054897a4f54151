import { selectorsOf, type Target } from "#server/operation/access.ts";
import { type Operation, scopeOf } from "#server/operation/operation.ts";
import { services } from "#server/services/registry.ts";

/** A selector that names one operation exactly, with the operation and the target of the calls under it. */
export interface ExactSelector {
  selector: string;
  operation: Operation;
  target: Target;
}

/** What may stand in `limits`, and whether `creditsPerDay` may stand on it. */
interface LimitSelector {
  selector: string;
  metered: boolean;
}

const keyed = (operations: readonly Operation[]) =>
  operations.filter(({ scope, surfaces }) => scope !== null && surfaces.includes("api"));

/** The exact selectors that can be allowed: every limit operation that isn't every key's, with dynamic ones down to the capability. */
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

/** Every selector that may stand in `limits`: the exact ones, the aggregates above them, and `*`. */
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

/** What is registered with the time when it was first known. */
export function registeredSelectors(operations: readonly Operation[]): string[] {
  return [
    ...new Set([
      // What people alone may call is new to keys once it becomes an operation of the API.
      ...keyed(operations).map((operation) => operation.id),
      ...limitSelectors(operations)
        .slice(1)
        .map(({ selector }) => selector),
      ...services().map((service) => `service:${service.id}`),
    ]),
  ];
}
