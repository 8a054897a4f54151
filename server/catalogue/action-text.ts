import { serviceById } from "#server/services/registry.ts";
import type { CatalogueAction } from "./actions.ts";

/** True if the action changes something and so needs an idempotency key. */
export const isWrite = ({ declared }: CatalogueAction): boolean => declared.idempotent;

/** Returns the action's title. */
export function titleOf({ declared, capability, serviceId }: CatalogueAction): string {
  return capability ? `${serviceById(serviceId)?.name}: ${capability.title}` : declared.summary;
}

/** Returns the action's description beyond its title. */
export function descriptionOf({ declared, capability }: CatalogueAction): string {
  return (capability ?? declared).description ?? "";
}
