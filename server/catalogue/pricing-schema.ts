import { z } from "zod";
import { DATABASE_LIMITS, DatabaseLimits } from "#server/databases/schema.ts";
import { TRANSFER_LIMITS, TransferLimits } from "#server/databases/transfers/schema.ts";
import { StorageLimits } from "#server/storage/schema.ts";
import { operationId, Price, serviceId } from "./schema.ts";

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
        triggers: z
          .object({
            maximumTriggers: z.int().describe("Triggers of an account."),
            maximumBackfill: z.int().describe("Times that one backfill asks for."),
          })
          .describe("Of managed triggers."),
        events: z
          .object({
            maximumDataBytes: z.int().describe("Bytes of an event's `data`, as JSON."),
            keptSeconds: z.int().describe("How long an event counts for steps that begin to wait later."),
            maximumAwaited: z.int().describe("The events of which a step awaits the first."),
            maximumConditions: z.int().describe("The conditions on one of them."),
          })
          .describe("Of managed events."),
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
          triggers: { maximumTriggers: 10_000, maximumBackfill: 1000 },
          events: {
            maximumDataBytes: 65_536,
            keptSeconds: 2_592_000,
            maximumAwaited: 10,
            maximumConditions: 20,
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
