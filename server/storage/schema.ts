import { z } from "zod";
import { STORED_KINDS } from "./kinds.ts";

export type StoredKind = (typeof STORED_KINDS)[number];

/** The budgets of every account, in bytes; published in `/pricing`. */
export interface StorageBudgets {
  filesBytes: number;
  artifactsBytes: number;
  transfersBytes: number;
  resultsBytes: number;
  databaseBytes: number;
  runsBytes: number;
  eventsBytes: number;
  memoriesBytes: number;
  workflowsBytes: number;
}

export const StorageLimits = z
  .object({
    filesBytes: z.int().describe("Bytes of all files, those being uploaded included."),
    artifactsBytes: z.int().describe("Bytes of all artifacts, until they expire."),
    transfersBytes: z
      .int()
      .describe("Bytes of parts and archives of all transfers, until they end or expire."),
    resultsBytes: z
      .int()
      .describe(
        "Bytes of results that are stored for their cursors, 15 minutes each, and of long pages until they are read.",
      ),
    databaseBytes: z.int().describe("Bytes of the managed database."),
    runsBytes: z
      .int()
      .describe(
        "Bytes of runs: input, result, results of steps, and timeline. Forgetting an ended run frees its bytes.",
      ),
    eventsBytes: z.int().describe("Bytes of the events and inbound deliveries of the last 31 days."),
    memoriesBytes: z.int().describe("Bytes of all memories."),
    workflowsBytes: z.int().describe("Bytes of all stored versions of workflows."),
  })
  .describe("The account's storage budgets; writes beyond them get `quota_exceeded`.");

export const Storage = z
  .array(
    z.object({
      kind: z.enum(STORED_KINDS).describe("The kind of data."),
      usedBytes: z.int().nullable().describe("The used bytes; null while their store is not available."),
      budgetBytes: z.int().describe("The budget in bytes."),
    }),
  )
  .describe("The account's stored data by kind.");
