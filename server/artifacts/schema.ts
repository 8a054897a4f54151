import { z } from "zod";
import { exampleId, instant, typeId } from "#server/operation/fields.ts";

/** How long artifacts are kept; published in `/pricing`. */
export const ARTIFACT_LIMITS = { lifetimeDays: 30 } as const;

export const Artifact = z
  .object({
    id: typeId("artifact"),
    runId: typeId("run").describe("The run that produced the artifact."),
    serviceId: z.string().describe("The run's service."),
    name: z.string().describe("The name that the run gave it."),
    mediaType: z.string().describe("The media type that the run declared."),
    sizeBytes: z.number().int().describe("The size in bytes."),
    sha256: z.string().describe("The SHA-256 of the bytes, in hex."),
    projectId: typeId("project").nullable(),
    endUser: z.string().nullable().describe("Your own id of the end user to whom the artifact belongs."),
    createdAt: instant,
    expiresAt: instant.describe("The time when it is deleted."),
  })
  .meta({
    id: "Artifact",
    description: "A file that a run has produced.",
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
