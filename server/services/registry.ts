import type { Capability, ServiceDefinition } from "./service.ts";

/** The platform's own services whose operations have endpoints of their own; they are not invoked. */
const own: ServiceDefinition[] = [
  {
    id: "platform-api",
    name: "Platform API",
    description: "Keys, projects, usage, audit, approvals, runs, webhooks and credits.",
    capabilities: [],
  },
  {
    id: "managed-database",
    name: "Managed database",
    description: "A PostgreSQL database of the account's own.",
    capabilities: [],
  },
  {
    id: "managed-wallets",
    name: "Managed wallets",
    description: "Custodial wallets that sign and send on a chain.",
    capabilities: [],
  },
  {
    id: "managed-trading",
    name: "Managed trading",
    description: "Spot trading from managed wallets.",
    capabilities: [],
  },
  {
    id: "universal-swaps",
    name: "Universal swaps",
    description: "Swaps within and across chains.",
    capabilities: [],
  },
  {
    id: "managed-agents",
    name: "Managed agents",
    description: "Language-model agents that use the account's actions.",
    capabilities: [],
  },
  {
    id: "managed-workflows",
    name: "Managed workflows",
    description: "Durable workflows over services and operations.",
    capabilities: [],
  },
  {
    id: "managed-memory",
    name: "Managed memory",
    description: "Texts that are kept, tagged and found again.",
    capabilities: [],
  },
];

/** Every service of this installation. */
export function services(): readonly ServiceDefinition[] {
  return own;
}

export function serviceById(id: string): ServiceDefinition | undefined {
  return services().find((service) => service.id === id);
}

export function capabilityOf(serviceId: string, operationId: string): Capability | undefined {
  return serviceById(serviceId)?.capabilities.find((capability) => capability.id === operationId);
}
