import { z } from "zod";
import { exampleId, instant, typeId } from "#server/operation/fields.ts";

const MB = 1_048_576;

/** What a transfer may take; published in `/pricing`. */
export const TRANSFER_LIMITS = {
  maximumPartBytes: 64 * MB,
  maximumParts: 10_000,
  maximumArchiveBytes: 2048 * MB,
  lifetimeDays: 7,
} as const;

/** What `/pricing` says of them. */
export const TransferLimits = z
  .object({
    maximumPartBytes: z.int().describe("Bytes of a part."),
    maximumParts: z.int().describe("Parts of an archive."),
    maximumArchiveBytes: z.int().describe("Bytes of an archive."),
    lifetimeDays: z
      .int()
      .describe("For how many days an import can be gone on with, and an archive be read."),
  })
  .describe("Of copies of a managed database.");

const sha256 = z.string().describe("The SHA-256 of its bytes, hex.");

/** A part of an import's archive. */
export const Part = z
  .object({
    partNumber: z.int().describe("Its place in the archive, from 1 on."),
    sizeBytes: z.int().describe("How many bytes it has."),
    sha256,
  })
  .meta({
    id: "DatabaseTransferPart",
    description: "A part of an archive that has arrived.",
    examples: [
      {
        partNumber: 1,
        sizeBytes: 1_048_576,
        sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      },
    ],
  });

const Difference = z
  .object({
    tables: z
      .array(
        z.object({
          name: z.string().describe("The table."),
          change: z
            .enum(["added", "missing", "kept"])
            .describe("Whether only the archive has it, only the database, or both."),
          archiveRows: z.int().nullable().describe("Its rows in the archive; null where that lacks it."),
          databaseRows: z.int().nullable().describe("Its rows in the database; null where that lacks it."),
        }),
      )
      .describe("Every table of either."),
  })
  .meta({
    id: "DatabaseDifference",
    description: "What an archive holds beside what the database holds.",
    examples: [{ tables: [{ name: "orders", change: "added", archiveRows: 1200, databaseRows: null }] }],
  });

export type Difference = z.output<typeof Difference>;

/** An export or an import on the wire. */
export const Transfer = z
  .object({
    id: typeId("transfer"),
    direction: z.enum(["export", "import"]).describe("Whether the database is copied out or in."),
    status: z
      .enum([
        "pending",
        "uploading",
        "validating",
        "applying",
        "completed",
        "building",
        "ready",
        "failed",
        "cancelled",
        "expired",
      ])
      .describe(
        "An import goes from `pending` over `uploading`, `validating` and `applying` to `completed`; an export from `building` to `ready`.",
      ),
    dryRun: z.boolean().describe("Whether an import is only checked and compared."),
    difference: Difference.nullable().describe("Of a completed dry run; else null."),
    parts: z.array(Part).describe("The parts of an import that have arrived, by number."),
    archive: z
      .object({ sizeBytes: z.int().describe("How many bytes it has."), sha256 })
      .nullable()
      .describe("The archive of an export that is ready; else null."),
    error: z
      .object({
        code: z.string().describe("Names the kind of fault."),
        message: z.string().describe("What was wrong."),
        entry: z.string().nullable().describe("The archive's entry that it was found in."),
      })
      .nullable()
      .describe("Why it failed; else null."),
    expiresAt: instant.describe("Until when it goes on, or its archive can be read."),
    createdAt: instant,
  })
  .meta({
    id: "DatabaseTransfer",
    description: "A portable copy of the account's database, on its way out or in.",
    examples: [
      {
        id: exampleId("transfer"),
        direction: "export",
        status: "ready",
        dryRun: false,
        difference: null,
        parts: [],
        archive: {
          sizeBytes: 48_211,
          sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        },
        error: null,
        expiresAt: "2027-02-07T12:00:00.000Z",
        createdAt: "2027-01-31T12:00:00.000Z",
      },
    ],
  });

export type Transfer = z.input<typeof Transfer>;

export const TransferParams = z.object({ transferId: typeId("transfer") });

/** Body of `databases.transfers.create`. */
export const CreateTransfer = z.object({
  direction: z.enum(["export", "import"]).describe("Whether to copy the database out or in."),
  dryRun: z
    .boolean()
    .optional()
    .describe("Of an import: whether to check the archive and compare it, and to apply nothing."),
});

/** Body of `databases.transfers.complete`. */
export const CompleteTransfer = z.object({
  parts: z
    .array(
      z.strictObject({
        partNumber: z.int().min(1).max(TRANSFER_LIMITS.maximumParts).describe("The part."),
        sha256: z
          .string()
          .regex(/^[0-9a-f]{64}$/, "Send 64 lower-case hexadecimal digits.")
          .describe("The SHA-256 of its bytes, hex."),
      }),
    )
    .min(1)
    .max(TRANSFER_LIMITS.maximumParts)
    .describe("Every part of the archive, in order."),
});
