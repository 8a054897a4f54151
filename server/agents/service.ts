import type { ServiceDefinition } from "#server/services/service.ts";
import { modelUnavailability } from "./choose-model.ts";
import { respond } from "./respond.ts";

export const agentsService: ServiceDefinition = {
  id: "managed-agents",
  name: "Managed agents",
  description: "Language-model agents that use the account's actions.",
  capabilities: [respond],
  unavailable: modelUnavailability,
};
