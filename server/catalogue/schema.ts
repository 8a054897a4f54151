import { z } from "zod";
import { DATABASE_LIMITS, DatabaseLimits } from "#server/databases/schema.ts";
import { TRANSFER_LIMITS, TransferLimits } from "#server/databases/transfers/schema.ts";
import { SCOPE_NAMES } from "#server/operation/scopes.ts";
import { StorageLimits } from "#server/storage/schema.ts";

const serviceId = z.string().meta({ description: "Id of the service.", examples: ["managed-memory"] });
const operationId = z
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

export const Pricing = z
  .object({
    asOf: z.iso.datetime({ precision: 3 }).describe("When this was said."),
    version: z.string().describe("Names this list of prices; every charge in the ledger carries it."),
    creditsPerUsd: z.int().describe("How many credits one US dollar buys."),
    limits: z
      .object({
        requests: z
          .object({
            maximumJsonBytes: z.int().describe("Bytes of a JSON body."),
            maximumJsonValues: z.int().describe("Values in it: objects, lists, texts, numbers and the rest."),
            maximumJsonFields: z.int().describe("Fields of one object in it."),
            maximumJsonDepth: z.int().describe("Levels of objects and lists within each other."),
          })
          .describe("Of every request."),
        memory: z
          .object({
            maximumContentBytes: z.int().describe("Bytes of a memory's content."),
            maximumTags: z.int().describe("Tags of a memory."),
            maximumTagCharacters: z.int().describe("Characters of a tag."),
            maximumQueryCharacters: z.int().describe("Characters of a search."),
            maximumAnswerBytes: z.int().describe("Bytes of content that one answer holds."),
          })
          .describe("Of managed memory."),
        runs: z
          .object({
            maximumTimelineEntries: z
              .int()
              .describe("Entries of a run's timeline; with as many it fails with `timeline_limit_exceeded`."),
          })
          .describe("Of runs."),
        agents: z
          .object({
            maximumInputCharacters: z.int().describe("Characters of an agent's input."),
            maximumInstructionsCharacters: z.int().describe("Characters of its instructions."),
            maximumSteps: z.int().describe("Calls of its model."),
            maximumTokens: z.int().describe("Tokens of all of them together."),
            maximumCredits: z.int().describe("What `maxCredits` may say."),
            maximumSelectors: z.int().describe("Selectors of tools."),
            maximumToolCallsPerStep: z.int().describe("Tool calls of one answer of the model."),
            maximumToolResultBytes: z.int().describe("Bytes of a tool's answer that the model is shown."),
          })
          .describe("Of managed agents."),
        workflows: z
          .object({
            maximumSteps: z.int().describe("Steps, those inside others included."),
            maximumDepth: z.int().describe("Levels of steps inside steps."),
            maximumBytes: z.int().describe("Bytes of a workflow as JSON."),
            maximumExpressionCharacters: z.int().describe("Characters of one expression."),
            maximumConcurrency: z.int().describe("Items that a map works on at a time."),
            maximumItems: z.int().describe("Items of a map."),
            maximumOutputBytes: z.int().describe("Bytes of all outputs of a run's steps as JSON."),
            maximumStoredWorkflows: z.int().describe("Stored workflows of a project, without archived ones."),
            maximumStoredBytes: z
              .int()
              .describe("Bytes of a stored workflow together with its input schema, as JSON."),
            keptVersions: z
              .int()
              .describe("Versions of a stored workflow that are kept, beside those of live runs."),
            maximumRunDepth: z.int().describe("Runs below one, each waiting for the next."),
          })
          .describe("Of managed workflows."),
        databases: DatabaseLimits,
        transfers: TransferLimits,
        files: z
          .object({
            maximumBytes: z.int().describe("Bytes of a file."),
            maximumNameCharacters: z.int().describe("Characters of its name."),
          })
          .describe("Of files."),
        artifacts: z
          .object({ lifetimeDays: z.int().describe("Days that an artifact is kept at most.") })
          .describe("Of artifacts."),
        storage: StorageLimits,
      })
      .describe("What requests and things may measure at most."),
    services: z
      .array(
        z.object({
          id: serviceId,
          available: z.boolean().describe("Whether it can be used now."),
          reason: z.string().nullable().describe("Why it is not available."),
          operations: z.array(Price.extend({ operationId })).describe("What each of its operations costs."),
        }),
      )
      .describe("The services with their prices."),
  })
  .meta({
    id: "Pricing",
    description: "What every operation costs, and what may be sent.",
    examples: [
      {
        asOf: "2027-01-31T12:00:00.000Z",
        version: "2026-11-20",
        creditsPerUsd: 1000,
        limits: {
          requests: {
            maximumJsonBytes: 1_048_576,
            maximumJsonValues: 200_000,
            maximumJsonFields: 10_000,
            maximumJsonDepth: 64,
          },
          memory: {
            maximumContentBytes: 262_144,
            maximumTags: 50,
            maximumTagCharacters: 100,
            maximumQueryCharacters: 1000,
            maximumAnswerBytes: 1_048_576,
          },
          runs: { maximumTimelineEntries: 10_000 },
          agents: {
            maximumInputCharacters: 100_000,
            maximumInstructionsCharacters: 20_000,
            maximumSteps: 50,
            maximumTokens: 200_000,
            maximumCredits: 1_000_000,
            maximumSelectors: 200,
            maximumToolCallsPerStep: 16,
            maximumToolResultBytes: 16_384,
          },
          workflows: {
            maximumSteps: 200,
            maximumDepth: 8,
            maximumBytes: 262_144,
            maximumExpressionCharacters: 4000,
            maximumConcurrency: 20,
            maximumItems: 1000,
            maximumOutputBytes: 4_194_304,
            maximumStoredWorkflows: 500,
            maximumStoredBytes: 262_144,
            keptVersions: 100,
            maximumRunDepth: 5,
          },
          databases: { ...DATABASE_LIMITS },
          transfers: { ...TRANSFER_LIMITS },
          files: { maximumBytes: 5_368_709_120, maximumNameCharacters: 1024 },
          artifacts: { lifetimeDays: 30 },
          storage: {
            filesBytes: 21_474_836_480,
            artifactsBytes: 10_737_418_240,
            transfersBytes: 8_589_934_592,
            resultsBytes: 1_073_741_824,
            databaseBytes: 1_073_741_824,
          },
        },
        services: [
          {
            id: "managed-memory",
            available: true,
            reason: null,
            operations: [{ operationId: "put", unit: "call", credits: 1, maximum: 1 }],
          },
        ],
      },
    ],
  });
