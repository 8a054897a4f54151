import { AGGREGATES } from "#server/catalogue/selectors.ts";
import type { Operation } from "#server/operation/operation.ts";
import { services } from "#server/services/registry.ts";
import type { Capability } from "#server/services/service.ts";

/** Something that a model can do: an operation, or one operation of a managed service. */
export interface Action {
  /** The operation's id, or the exact selector: `services.invoke.managed-memory.put`. */
  name: string;
  title: string;
  description: string;
  operation: Operation;
  /** What the name says of the service; null for an operation of the platform. */
  target: { serviceId: string; operationId: string; capability: Capability } | null;
}

/** Whether it changes something, so that it needs an idempotency key. */
export const isWrite = (action: Action): boolean => action.operation.idempotent;

/** Everything that these operations can do, those of managed services by their selectors too. */
export function actionsOf(operations: readonly Operation[]): Action[] {
  return operations.flatMap((operation) => [
    {
      name: operation.operationId,
      title: operation.summary,
      description: operation.description ?? "",
      operation,
      target: null,
    },
    ...ofServices(operation),
  ]);
}

function ofServices(operation: Operation): Action[] {
  const mode = operation.id === AGGREGATES.invoke ? "invoke" : operation.id === AGGREGATES.run ? "run" : null;
  if (!mode) return [];
  return services().flatMap(({ id: serviceId, name, capabilities }) =>
    capabilities
      .filter((capability) => capability.modes.includes(mode))
      .map((capability) => ({
        name: `${operation.id}.${serviceId}.${capability.id}`,
        title: `${name}: ${capability.title}`,
        description: capability.description,
        operation,
        target: { serviceId, operationId: capability.id, capability },
      })),
  );
}
