import { agentsService } from "#server/agents/service.ts";
import { memoryService } from "#server/memory/service.ts";
import { runningPlatform } from "#server/platform.ts";
import { explainNoChain } from "#server/providers/chain/unavailable.ts";
import { eventsService } from "#server/sent-events/service.ts";
import { triggersService } from "#server/triggers/service.ts";
import { workflowsService } from "#server/workflows/service.ts";
import type { ServiceDefinition } from "./service.ts";

const chains = () => runningPlatform()?.settings.chains ?? [];

const withoutChain = () => (chains().length > 0 ? null : explainNoChain(runningPlatform()?.settings ?? {}));

const withoutVenue = () =>
  chains().some(({ contracts }) => contracts.venue)
    ? null
    : (withoutChain() ?? "No chain of this installation has a venue. Its operator names one in CHAINS.");

/** The platform's own services. */
export const ownServices: readonly ServiceDefinition[] = [
  {
    id: "platform-api",
    name: "Platform API",
    description: "Keys, projects, usage, audit, approvals, runs, webhooks and credits.",
    capabilities: [],
    endpoints: true,
  },
  {
    id: "managed-database",
    name: "Managed database",
    description: "A PostgreSQL database of the account's own.",
    capabilities: [],
    endpoints: true,
  },
  {
    id: "managed-wallets",
    name: "Managed wallets",
    description: "Custodial wallets that sign and send on a chain.",
    capabilities: [],
    endpoints: true,
    unavailable: withoutChain,
  },
  {
    id: "managed-trading",
    name: "Managed trading",
    description: "Spot trading from managed wallets.",
    capabilities: [],
    endpoints: true,
    unavailable: withoutVenue,
  },
  {
    id: "universal-swaps",
    name: "Universal swaps",
    description: "Swaps within and across chains.",
    capabilities: [],
    endpoints: true,
    unavailable: withoutVenue,
  },
  agentsService,
  workflowsService,
  memoryService,
  triggersService,
  eventsService,
];
