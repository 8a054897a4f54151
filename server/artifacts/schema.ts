import { z } from "zod";
import { exampleId, instant, typeId } from "#server/operation/fields.ts";

/** How long artifacts are kept; published in `/pricing`. */
export const ARTIFACT_LIMITS = { lifetimeDays: 30 } as const;

export const Artifact = z
  .object({
    id: typeId("artifact"),
    runId: typeId("run").describe("The run that produced it."),
    serviceId: z.string().describe("The run's service."),
    name: z.string().describe("Its name, as the run gave it."),
    mediaType: z.string().describe("What its bytes are, as the run said."),
    sizeBytes: z.number().int().describe("How many bytes it has."),
    sha256: z.string().describe("SHA-256 of its bytes, in hex."),
    projectId: typeId("project").nullable(),
    endUser: z.string().nullable().describe("The customer's own id of the end user that it belongs to."),
    createdAt: instant,
    expiresAt: instant.describe("When it is deleted."),
  })
  .meta({
    id: "Artifact",
    description: "What a run has produced.",
    examples: [
      {
        id: exampleId("artifact"),
        runId: exampleId("run"),
        serviceId: "managed-memory",
        name: "memories.ndjson",
        mediaType: "application/x-ndjson",
        sizeBytes: 5120,
        sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        projectId: null,
        endUser: null,
        createdAt: "2027-01-31T12:00:00.000Z",
        expiresAt: "2027-03-02T12:00:00.000Z",
      },
    ],
  });

export type Artifact = z.output<typeof Artifact>;
