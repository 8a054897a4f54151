import { z } from "zod";
import { operation } from "#server/operation/operation.ts";
import { nextCursor, PageQuery } from "#server/operation/page.ts";
import { capabilitiesOf, unavailabilityOf } from "#server/services/capabilities.ts";
import type { ServiceDefinition } from "#server/services/service.ts";
import { pageOfList } from "./page-list.ts";
import { reachedServices } from "./queries.ts";
import { Service } from "./schema.ts";

export const listServices = operation({
  id: "services.list",
  method: "GET",
  path: "/services",
  summary: "List services",
  description: "Lists the managed services inside the key's service boundary, with their operations.",
  scope: "services:read",
  query: PageQuery,
  output: z.object({ services: z.array(Service), nextCursor }),

  async handler({ query, caller, db }) {
    const reached = await reachedServices(db, caller);
    const { page, nextCursor } = pageOfList(reached, (service) => service.id, query);
    return {
      services: page.map((service) => {
        const [status, reason] = conditionOf(service);
        const { id, name, description } = service;
        const operations = capabilitiesOf(service).map((capability) => capability.id);
        return { id, name, description, status, reason, operations };
      }),
      nextCursor,
    };
  },
});

function conditionOf(service: ServiceDefinition) {
  const missing = unavailabilityOf(service);
  if (missing !== null) return ["unavailable", missing] as const;
  const trouble = service.degraded?.() ?? null;
  return [trouble === null ? "available" : "degraded", trouble] as const;
}
