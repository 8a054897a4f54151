import { serviceById } from "#server/services/registry.ts";
import type { CatalogueAction } from "./actions.ts";

/** Whether it changes something, so that it needs an idempotency key. */
export const isWrite = ({ declared }: CatalogueAction): boolean => declared.idempotent;

/** What it does, in a few words. */
export function titleOf({ declared, capability, serviceId }: CatalogueAction): string {
  return capability ? `${serviceById(serviceId)?.name}: ${capability.title}` : declared.summary;
}

/** What is to be known beyond the title. */
export function descriptionOf({ declared, capability }: CatalogueAction): string {
  return (capability ?? declared).description ?? "";
}
