import { z } from "zod";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { nextCursor } from "#server/operation/page.ts";
import { serviceById } from "#server/services/registry.ts";
import { CapabilitiesQuery } from "./list-capabilities.ts";
import { pageOfList } from "./page-list.ts";
import { capabilityViews } from "./queries.ts";
import { Capability, ServiceParams } from "./schema.ts";

export const readCapabilities = operation({
  id: "capabilities.list",
  operationId: "capabilities.read",
  method: "GET",
  path: "/capabilities/{serviceId}",
  summary: "List a service's capabilities",
  description: "Lists every operation of one service, with JSON Schemas and prices.",
  scope: "services:read",
  service: ({ params }) => ({ serviceId: params.serviceId }),
  params: ServiceParams,
  query: CapabilitiesQuery,
  output: z.object({ capabilities: z.array(Capability), nextCursor }),
  errors: ["not_found"],

  async handler({ params, query }) {
    const service = serviceById(params.serviceId);
    if (!service) throw notFound("service", params.serviceId);
    const views = capabilityViews([service], query);
    const { page, nextCursor } = pageOfList(views, (view) => view.operationId, { ...query, ...params });
    return { capabilities: page, nextCursor };
  },
});
