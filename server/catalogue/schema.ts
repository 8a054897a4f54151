import { z } from "zod";
import { SCOPE_NAMES } from "#server/operation/scopes.ts";

export const serviceId = z.string().meta({ description: "Id of the service.", examples: ["managed-memory"] });
export const operationId = z
  .string()
  .meta({ description: "Names the operation within its service.", examples: ["put"] });
const method = z.string().meta({ description: "The HTTP method.", examples: ["POST"] });
const jsonSchema = z.record(z.string(), z.unknown());

/** The path of a service's own id. */
export const ServiceParams = z.object({ serviceId });

export const Price = z
  .object({
    unit: z
      .string()
      .describe("What is counted. `call` is an exact charge; any other unit is charged up to `maximum`."),
    credits: z.int().describe("Credits for one unit."),
    maximum: z.int().describe("The most that one call may be charged; it is set aside while the call runs."),
  })
  .meta({
    id: "Price",
    description: "What a call costs, in credits.",
    examples: [{ unit: "call", credits: 1, maximum: 1 }],
  });

export const Service = z
  .object({
    id: serviceId,
    name: z.string().describe("What people call it."),
    description: z.string().describe("What it is for."),
    status: z.enum(["available", "degraded", "unavailable"]).describe("Whether it can be used now."),
    reason: z.string().nullable().describe("Why it is degraded or unavailable."),
    operations: z.array(z.string()).describe("The ids of its operations."),
  })
  .meta({
    id: "Service",
    description: "A managed service.",
    examples: [
      {
        id: "managed-memory",
        name: "Managed memory",
        description: "Texts that are kept, tagged and found again.",
        status: "available",
        reason: null,
        operations: ["put", "get", "list", "search", "delete", "export"],
      },
    ],
  });

export const Capability = z
  .object({
    serviceId,
    operationId,
    title: z.string().describe("A short imperative phrase."),
    description: z.string().describe("What a caller must know beyond the title."),
    inputSchema: jsonSchema.describe(
      "JSON Schema of `input`; of all fields together where it has an endpoint.",
    ),
    outputSchema: jsonSchema.describe("JSON Schema of what it answers."),
    modes: z
      .array(z.enum(["invoke", "run"]))
      .describe("How it can be used; empty where it has an endpoint of its own."),
    endpoint: z
      .object({ method, path: z.string().describe("Relative to `/v1`.") })
      .nullable()
      .describe("The endpoint that it has of its own."),
    selectors: z.array(z.string()).describe("The selectors for keys that name exactly it."),
    readOnly: z.boolean().describe("Whether it changes nothing."),
    destructive: z.boolean().describe("Whether it can destroy what can't be brought back."),
    requiresApproval: z
      .boolean()
      .describe("Whether it needs an approved service action with the same input."),
    price: Price.describe("What a call of it costs."),
  })
  .meta({
    id: "Capability",
    description: "An operation of a managed service.",
    examples: [
      {
        serviceId: "managed-memory",
        operationId: "get",
        title: "Get a memory",
        description: "Reads one memory by its id or its name.",
        inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
        outputSchema: { type: "object", properties: { memory: { type: "object" } }, required: ["memory"] },
        modes: ["invoke", "run"],
        endpoint: null,
        selectors: ["services.invoke.managed-memory.get", "runs.create.managed-memory.get"],
        readOnly: true,
        destructive: false,
        requiresApproval: false,
        price: { unit: "call", credits: 0, maximum: 0 },
      },
    ],
  });

export const Action = z
  .object({
    operation: z.string().describe("The operation's id, or the exact selector of a service's operation."),
    serviceId,
    method,
    path: z.string().describe("Relative to `/v1`."),
    scope: z.enum(SCOPE_NAMES).nullable().describe("The scope that it needs; null for none."),
    idempotencyRequired: z.boolean().describe("Whether it needs an `Idempotency-Key`."),
    limitSelectors: z
      .array(z.string())
      .describe("The selectors whose limits count it, the most exact first; `*` counts everything."),
    allowed: z.boolean().describe("Whether this caller would be let through now."),
    deniedBy: z
      .object({
        check: z.enum(["scope", "service", "operation", "limit"]).describe("The check that refuses."),
        keyId: z
          .string()
          .nullable()
          .describe("The highest key of the chain that refuses; null for a member."),
      })
      .nullable()
      .describe("What refuses it; null where it is allowed."),
  })
  .meta({
    id: "Action",
    description: "The access decision on one operation, explained.",
    examples: [
      {
        operation: "services.invoke.managed-memory.put",
        serviceId: "managed-memory",
        method: "POST",
        path: "/services/managed-memory/invoke",
        scope: "services:invoke",
        idempotencyRequired: true,
        limitSelectors: [
          "services.invoke.managed-memory.put",
          "services.invoke.managed-memory",
          "services.invoke",
        ],
        allowed: true,
        deniedBy: null,
      },
    ],
  });
