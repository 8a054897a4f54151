import { z } from "zod";
import { searchBy } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { nextCursor, PageQuery } from "#server/operation/page.ts";
import { pageOfList } from "./page-list.ts";
import { capabilityViews, reachedServices } from "./queries.ts";
import { Capability, CapabilityMode } from "./schema.ts";

export const CapabilitiesQuery = PageQuery.extend({
  mode: CapabilityMode.optional().describe("Only operations that can be used this way."),
  search: searchBy("Only operations whose service, id or title"),
});

export const listCapabilities = operation({
  id: "capabilities.list",
  method: "GET",
  path: "/capabilities",
  summary: "List capabilities",
  description:
    "Lists every operation of the services inside the key's service boundary, with JSON Schemas and prices.",
  scope: "services:read",
  query: CapabilitiesQuery,
  output: z.object({ capabilities: z.array(Capability), nextCursor }),

  async handler({ query, caller, db }) {
    const views = capabilityViews(await reachedServices(db, caller), query);
    const { page, nextCursor } = pageOfList(
      views,
      ({ serviceId, operationId }) => `${serviceId} ${operationId}`,
      query,
    );
    return { capabilities: page, nextCursor };
  },
});
