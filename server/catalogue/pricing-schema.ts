import { z } from "zod";
import { DATABASE_LIMITS, DatabaseLimits } from "#server/databases/schema.ts";
import { TRANSFER_LIMITS, TransferLimits } from "#server/databases/transfers/schema.ts";
import { StorageLimits } from "#server/storage/schema.ts";
import { operationId, Price, serviceId } from "./schema.ts";

export const Pricing = z
  .object({
    asOf: z.iso.datetime({ precision: 3 }).describe("The time of this response."),
    version: z.string().describe("The version of this price list; every charge in the ledger names it."),
    creditsPerUsd: z.int().describe("The number of credits for one US dollar."),
    limits: z
      .object({
        requests: z
          .object({
            maximumJsonBytes: z.int().describe("The maximum size of a JSON body, in bytes."),
            maximumJsonValues: z
              .int()
              .describe(
                "The maximum number of values in a body: objects, lists, strings, numbers, booleans and nulls.",
              ),
            maximumJsonFields: z.int().describe("The maximum number of fields of one object."),
            maximumJsonDepth: z.int().describe("The maximum nesting of objects and lists."),
          })
          .describe("Limits of every request."),
        memory: z
          .object({
            maximumContentBytes: z.int().describe("The maximum size of a memory's content, in bytes."),
            maximumTags: z.int().describe("The maximum number of tags of a memory."),
            maximumTagCharacters: z.int().describe("The maximum length of a tag, in characters."),
            maximumQueryCharacters: z.int().describe("The maximum length of a search, in characters."),
            maximumAnswerBytes: z
              .int()
              .describe("The maximum size of all contents in one response, in bytes."),
          })
          .describe("Limits of managed memory."),
        runs: z
          .object({
            maximumTimelineEntries: z
              .int()
              .describe(
                "The maximum number of entries of a run's timeline; a run that reaches it fails with `timeline_limit_exceeded`.",
              ),
            maximumKeptBytes: z
              .int()
              .describe(
                "The maximum of a run's `keptBytes`; a run that exceeds it fails with `size_limit_exceeded`.",
              ),
          })
          .describe("Limits of runs."),
        triggers: z
          .object({
            maximumTriggers: z.int().describe("The maximum number of triggers of an account."),
            maximumBackfill: z.int().describe("The maximum number of times in one backfill."),
          })
          .describe("Limits of managed triggers."),
        events: z
          .object({
            maximumDataBytes: z.int().describe("The maximum size of an event's `data` as JSON, in bytes."),
            keptSeconds: z
              .int()
              .describe("How long, in seconds, an event is kept for steps that begin to wait for it later."),
            maximumAwaited: z
              .int()
              .describe("The maximum number of events of which a step waits for the first."),
            maximumConditions: z.int().describe("The maximum number of conditions on one event."),
            maximumConditionsBytes: z
              .int()
              .describe("The maximum size of these conditions as JSON, in bytes."),
            maximumWaitsPerEvent: z
              .int()
              .describe("The maximum number of waits of an account's runs for one of the platform's events."),
          })
          .describe("Limits of managed events."),
        agents: z
          .object({
            maximumInputCharacters: z
              .int()
              .describe("The maximum length of an agent's input, in characters."),
            maximumInstructionsCharacters: z
              .int()
              .describe("The maximum length of its instructions, in characters."),
            maximumSteps: z.int().describe("The maximum number of model calls."),
            maximumTokens: z.int().describe("The maximum number of tokens of all model calls together."),
            maximumCredits: z.int().describe("The maximum value of `maxCredits`."),
            maximumSelectors: z.int().describe("The maximum number of selectors in `tools`."),
            maximumToolCallsPerStep: z
              .int()
              .describe("The maximum number of tool calls in one response of the model."),
            maximumToolResultBytes: z
              .int()
              .describe("The maximum size of a tool's result that the model gets, in bytes."),
          })
          .describe("Limits of managed agents."),
        workflows: z
          .object({
            maximumSteps: z.int().describe("The maximum number of steps, nested ones included."),
            maximumDepth: z.int().describe("The maximum nesting of steps."),
            maximumBytes: z.int().describe("The maximum size of a workflow as JSON, in bytes."),
            maximumExpressionCharacters: z
              .int()
              .describe("The maximum length of an expression, in characters."),
            maximumConcurrency: z
              .int()
              .describe("The maximum number of items that a map step processes at a time."),
            maximumItems: z.int().describe("The maximum number of items of a map step."),
            maximumBranches: z.int().describe("The maximum number of branches of a parallel step."),
            maximumIterations: z.int().describe("The maximum number of iterations of a while step."),
            maximumOutputBytes: z
              .int()
              .describe("The maximum size of all outputs of a run's steps as JSON, in bytes."),
            maximumStoredWorkflows: z
              .int()
              .describe("The maximum number of stored workflows of a project, without archived ones."),
            maximumStoredBytes: z
              .int()
              .describe("The maximum size of a stored workflow with its input schema as JSON, in bytes."),
            keptVersions: z
              .int()
              .describe(
                "The number of versions of a stored workflow that are kept, in addition to those of live runs.",
              ),
            maximumRunDepth: z
              .int()
              .describe("The maximum depth of runs below a run, each waiting for the next."),
          })
          .describe("Limits of managed workflows."),
        databases: DatabaseLimits,
        transfers: TransferLimits,
        files: z
          .object({
            maximumBytes: z.int().describe("The maximum size of a file, in bytes."),
            maximumNameCharacters: z.int().describe("The maximum length of a file's name, in characters."),
          })
          .describe("Limits of files."),
        artifacts: z
          .object({ lifetimeDays: z.int().describe("The maximum number of days that an artifact is kept.") })
          .describe("Limits of artifacts."),
        storage: StorageLimits,
      })
      .describe("The limits of requests and resources."),
    services: z
      .array(
        z.object({
          id: serviceId,
          available: z.boolean().describe("True if the service can be used now."),
          reason: z.string().nullable().describe("Why the service is not available; null if it is."),
          operations: z.array(Price.extend({ operationId })).describe("The price of each of its operations."),
        }),
      )
      .describe("The services with their prices."),
  })
  .meta({
    id: "Pricing",
    description: "The price of every operation, and the platform's limits.",
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
          runs: { maximumTimelineEntries: 10_000, maximumKeptBytes: 67_108_864 },
          triggers: { maximumTriggers: 10_000, maximumBackfill: 1000 },
          events: {
            maximumDataBytes: 65_536,
            keptSeconds: 2_592_000,
            maximumAwaited: 10,
            maximumConditions: 20,
            maximumConditionsBytes: 16_384,
            maximumWaitsPerEvent: 1000,
          },
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
            maximumBranches: 10,
            maximumIterations: 1000,
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
            runsBytes: 10_737_418_240,
            eventsBytes: 2_147_483_648,
            memoriesBytes: 2_147_483_648,
            workflowsBytes: 1_073_741_824,
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
