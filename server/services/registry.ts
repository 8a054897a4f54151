import { runningPlatform } from "#server/platform.ts";
import type { ServiceDefinition } from "./service.ts";

/** Returns every service of this installation: the platform's own, then the operator's. */
export function services(): readonly ServiceDefinition[] {
  return runningPlatform()?.services ?? [];
}

export function serviceById(id: string): ServiceDefinition | undefined {
  return services().find((service) => service.id === id);
}
