import { z } from "zod";
import { AGENT_LIMITS } from "#server/agents/schema.ts";
import { ARTIFACT_LIMITS } from "#server/artifacts/schema.ts";
import { databaseLimits } from "#server/databases/queries.ts";
import { TRANSFER_LIMITS } from "#server/databases/transfers/schema.ts";
import { FILE_LIMITS } from "#server/files/schema.ts";
import { MEMORY_LIMITS } from "#server/memory/schema.ts";
import { MAX_JSON_BYTES } from "#server/operation/json-body.ts";
import { JSON_LIMITS } from "#server/operation/json-text.ts";
import { operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { RUN_LIMITS } from "#server/runs/schema.ts";
import { EVENT_LIMITS } from "#server/sent-events/schema.ts";
import { capabilitiesOf, unavailabilityOf } from "#server/services/capabilities.ts";
import { CREDITS_PER_USD, PRICE_VERSION } from "#server/services/prices.ts";
import { services } from "#server/services/registry.ts";
import { TRIGGER_LIMITS } from "#server/triggers/schema.ts";
import { STORED_LIMITS, WORKFLOW_LIMITS } from "#server/workflows/limits.ts";
import { Pricing } from "./pricing-schema.ts";

export const readPricing = operation({
  id: "pricing.read",
  method: "GET",
  path: "/pricing",
  summary: "Read prices",
  description: "Returns prices, availability and limits. Only the server sets prices; a request can't.",
  scope: null,
  query: z.object({
    service: z
      .enum([
        "platform-api",
        "managed-wallets",
        "managed-trading",
        "universal-swaps",
        "managed-agents",
        "managed-workflows",
      ])
      .optional()
      .describe("Only this service; by default every service."),
  }),
  output: z.object({ pricing: Pricing }),

  async handler({ query, request }) {
    const shown = services().filter((service) => query.service === undefined || service.id === query.service);
    return {
      pricing: {
        asOf: request.at.toISOString(),
        version: PRICE_VERSION,
        creditsPerUsd: CREDITS_PER_USD,
        limits: {
          requests: {
            maximumJsonBytes: MAX_JSON_BYTES,
            maximumJsonValues: JSON_LIMITS.maximumValues,
            maximumJsonFields: JSON_LIMITS.maximumFields,
            maximumJsonDepth: JSON_LIMITS.maximumDepth,
          },
          memory: MEMORY_LIMITS,
          runs: RUN_LIMITS,
          triggers: TRIGGER_LIMITS,
          events: EVENT_LIMITS,
          agents: AGENT_LIMITS,
          workflows: { ...WORKFLOW_LIMITS, ...STORED_LIMITS },
          databases: databaseLimits(),
          transfers: TRANSFER_LIMITS,
          files: FILE_LIMITS,
          artifacts: ARTIFACT_LIMITS,
          storage: platform().settings.storage,
        },
        services: shown.map((service) => {
          const reason = unavailabilityOf(service);
          const operations = capabilitiesOf(service).map(({ id, price }) => ({ operationId: id, ...price }));
          return { id: service.id, available: reason === null, reason, operations };
        }),
      },
    };
  },
});
