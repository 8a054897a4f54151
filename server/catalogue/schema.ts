import { z } from "zod";
import { AccessCheck, Scope } from "#server/keys/schema.ts";
import { SERVICE_STATUSES } from "./statuses.ts";

export const serviceId = z.string().meta({ description: "Id of the service.", examples: ["managed-memory"] });
export const operationId = z
  .string()
  .meta({ description: "Id of the operation within its service.", examples: ["put"] });
const method = z.string().meta({ description: "The HTTP method.", examples: ["POST"] });
const jsonSchema = z.record(z.string(), z.unknown());

/** The path of a service's own id. */
export const ServiceParams = z.object({ serviceId });

export const Price = z
  .object({
    unit: z
      .string()
      .describe(
        "The unit of the price. `call` is an exact charge; any other unit is charged up to `maximum`.",
      ),
    credits: z.int().describe("The credits for one unit."),
    maximum: z.int().describe("The maximum charge for one call, in credits; it is held while the call runs."),
  })
  .meta({
    id: "Price",
    description: "The price of a call, in credits.",
    examples: [{ unit: "call", credits: 1, maximum: 1 }],
  });

export const Service = z
  .object({
    id: serviceId,
    name: z.string().describe("The service's name."),
    description: z.string().describe("What the service is for."),
    status: z
      .enum(SERVICE_STATUSES)
      .meta({ id: "ServiceStatus", description: "Whether the service can be used now." }),
    reason: z
      .string()
      .nullable()
      .describe("Why the service is degraded or unavailable; null if it is available."),
    operations: z.array(z.string()).describe("The ids of its operations."),
  })
  .meta({
    id: "Service",
    description: "A managed service.",
    examples: [
      {
        id: "managed-memory",
        name: "Managed memory",
        description: "Stores texts with tags, and searches them.",
        status: "available",
        reason: null,
        operations: ["put", "get", "list", "search", "delete", "export"],
      },
    ],
  });

export const CapabilityMode = z.enum(["invoke", "run"]).meta({ id: "CapabilityMode" });

export const Capability = z
  .object({
    serviceId,
    operationId,
    title: z.string().describe("A short imperative phrase."),
    description: z.string().describe("Facts beyond the title that a caller must know."),
    inputSchema: jsonSchema.describe(
      "JSON Schema of `input`; if the operation has its own endpoint, of all request fields together.",
    ),
    outputSchema: jsonSchema.describe("JSON Schema of the result."),
    modes: z
      .array(CapabilityMode)
      .describe("How the operation can be used; empty if it has its own endpoint."),
    endpoint: z
      .object({ method, path: z.string().describe("Relative to `/v1`.") })
      .nullable()
      .describe("The operation's own endpoint; null if it has none."),
    selectors: z
      .array(z.string())
      .describe("The exact selectors of the operation, for key boundaries and limits."),
    readOnly: z.boolean().describe("True if the operation changes nothing."),
    destructive: z.boolean().describe("True if the operation can destroy data irrecoverably."),
    requiresApproval: z.boolean().describe("True if the operation needs an approval with the same input."),
    price: Price.describe("The price of a call."),
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
    scope: Scope.nullable().describe("The required scope; null if none."),
    idempotencyRequired: z.boolean().describe("True if the operation requires an `Idempotency-Key`."),
    limitSelectors: z
      .array(z.string())
      .describe(
        "The selectors whose limits count the operation, most exact first; `*` counts every operation.",
      ),
    allowed: z.boolean().describe("True if a call by this caller would be admitted now."),
    deniedBy: z
      .object({
        check: AccessCheck.describe("The failing check."),
        keyId: z
          .string()
          .nullable()
          .describe("The highest key of the chain that refuses; null for a member."),
      })
      .nullable()
      .describe("The refusal; null if the operation is allowed."),
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
