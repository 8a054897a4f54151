import { defined } from "#server/base/defined.ts";
import type { Operation } from "#server/operation/operation.ts";

/** The groups of the reference: the first word of an operation's id, with the group's name and topic. */
export const RESOURCES: Record<string, { name: string; description: string }> = {
  health: { name: "Health", description: "Whether the platform and its components respond." },
  openapi: { name: "OpenAPI", description: "This API as a machine-readable document." },
  pricing: { name: "Pricing", description: "What operations cost, and what the platform's limits are." },
  apiKeys: {
    name: "API keys",
    description: "Bearer keys. A child key allows no more than its parent, and is revoked with it.",
  },
  services: { name: "Services", description: "Managed services, and invoking their operations directly." },
  capabilities: { name: "Capabilities", description: "The operations of the services that a key may use." },
  actions: { name: "Actions", description: "Every operation, and why a key may or may not call it." },
  credits: { name: "Credits", description: "The account's balance, and buying more." },
  projects: { name: "Projects", description: "Parts of an account that keys and resources can be bound to." },
  usage: { name: "Usage", description: "Requests, errors and charged credits over time." },
  auditEvents: { name: "Audit events", description: "Who did what, when and with which outcome." },
  files: { name: "Files", description: "Files of a project or an end user." },
  connections: { name: "Connections", description: "Credentials for outside systems, used but never shown." },
  databases: { name: "Databases", description: "A PostgreSQL database of the account's own." },
  wallets: { name: "Wallets", description: "Custodial wallets: policies, transactions and signatures." },
  trading: { name: "Trading", description: "Spot orders and positions of managed wallets." },
  swaps: { name: "Swaps", description: "Exchanging assets within and across chains." },
  runs: { name: "Runs", description: "Durable work of services." },
  approvals: { name: "Approvals", description: "Decisions by people that critical actions wait for." },
  artifacts: { name: "Artifacts", description: "Files that runs have produced." },
  webhooks: { name: "Webhooks", description: "Endpoints that events are sent to." },
  events: { name: "Events", description: "A stream of the account's events." },
  webhookDeliveries: {
    name: "Webhook deliveries",
    description: "The deliveries of events, with their attempts.",
  },
};

/** Returns the group that an operation belongs to. */
export function resourceOf({ id }: Operation): { name: string; description: string } {
  const resource = RESOURCES[defined(id.split(".")[0])];
  if (!resource) throw new Error(`${id} belongs to no resource of server/catalogue/resources.ts.`);
  return resource;
}
