import type { Operation } from "#server/operation/operation.ts";
import { services } from "#server/services/registry.ts";

/** The operations that use services, by mode: their selectors go on with the service and its operation. */
export const AGGREGATES = { invoke: "services.invoke", run: "runs.create" } as const;

/** The exact selectors that can be allowed: every limit operation, with dynamic ones down to the capability. */
export function exactSelectors(operations: readonly Operation[]): string[] {
  const fixed = new Set(
    operations
      .filter(({ scope, surfaces }) => scope !== null && surfaces.includes("api"))
      .map((operation) => operation.id),
  );
  for (const aggregate of Object.values(AGGREGATES)) fixed.delete(aggregate);
  const dynamic = services().flatMap((service) =>
    service.capabilities.flatMap((capability) =>
      capability.modes.map((mode) => `${AGGREGATES[mode]}.${service.id}.${capability.id}`),
    ),
  );
  return [...fixed, ...dynamic];
}

/** Every selector that may stand in `limits`: the exact ones, the aggregates above them, and `*`. */
export function limitSelectors(operations: readonly Operation[]): string[] {
  const perService = services().flatMap((service) =>
    Object.values(AGGREGATES).map((aggregate) => `${aggregate}.${service.id}`),
  );
  return ["*", ...Object.values(AGGREGATES), ...perService, ...exactSelectors(operations)];
}

/** What is registered with the time when it was first known. */
export function registeredSelectors(operations: readonly Operation[]): string[] {
  return [
    ...new Set([
      ...operations.map((operation) => operation.id),
      ...limitSelectors(operations).slice(1),
      ...services().map((service) => `service:${service.id}`),
    ]),
  ];
}
