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
    resultsBytes: z.int().describe("Bytes of results that are kept for their cursors, 15 minutes each."),
    databaseBytes: z.int().describe("Bytes of the managed database."),
    runsBytes: z
      .int()
      .describe(
        "Bytes of what runs keep: input, result, what their steps have answered, and timeline. Forgetting an ended run frees its bytes.",
      ),
    eventsBytes: z.int().describe("Bytes of the events and inbound deliveries of the last 31 days."),
    memoriesBytes: z.int().describe("Bytes of all memories."),
    workflowsBytes: z.int().describe("Bytes of all kept versions of stored workflows."),
  })
  .describe("What an account may keep on disk; beyond it: `quota_exceeded`.");

export const Storage = z
  .array(
    z.object({
      kind: z.enum(STORED_KINDS).describe("What is kept."),
      usedBytes: z.int().nullable().describe("What it takes; null while its store can't be asked."),
      budgetBytes: z.int().describe("What it may take."),
    }),
  )
  .describe("What the account keeps on disk, kind by kind.");
