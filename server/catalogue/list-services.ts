import { z } from "zod";
import { searchBy } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, total } from "#server/operation/page.ts";
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
  query: CountedPageQuery.extend({
    status: Service.shape.status.optional().describe("Only services with this status."),
    search: searchBy("Only services whose name, id or description"),
  }),
  output: z.object({ services: z.array(Service), nextCursor, total }),

  async handler({ query, caller, db }) {
    const reached = await reachedServices(db, caller);
    const { page, nextCursor, total } = pageOfList(
      reached,
      (service) => service.id,
      query,
      (service) => {
        const text = `${service.name}\n${service.id}\n${service.description}`.toLowerCase();
        return (
          (query.status === undefined || conditionOf(service)[0] === query.status) &&
          (query.search === undefined || text.includes(query.search.toLowerCase()))
        );
      },
    );
    return {
      services: page.map((service) => {
        const [status, reason] = conditionOf(service);
        const { id, name, description } = service;
        const operations = capabilitiesOf(service).map((capability) => capability.id);
        return { id, name, description, status, reason, operations };
      }),
      nextCursor,
      total,
    };
  },
});

function conditionOf(service: ServiceDefinition) {
  const missing = unavailabilityOf(service);
  if (missing !== null) return ["unavailable", missing] as const;
  const trouble = service.degraded?.() ?? null;
  return [trouble === null ? "available" : "degraded", trouble] as const;
}
