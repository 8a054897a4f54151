import { z } from "zod";
import { exampleId, instant, typeId } from "#server/operation/fields.ts";
import { TRANSFER_STATUSES } from "./statuses.ts";

const MB = 1_048_576;

/** The limits of transfers; published in `/pricing`. */
export const TRANSFER_LIMITS = {
  maximumPartBytes: 64 * MB,
  maximumParts: 10_000,
  maximumArchiveBytes: 2048 * MB,
  lifetimeDays: 7,
} as const;

/** The limits as shown in `/pricing`. */
export const TransferLimits = z
  .object({
    maximumPartBytes: z.int().describe("The maximum size of a part, in bytes."),
    maximumParts: z.int().describe("The maximum number of parts of an archive."),
    maximumArchiveBytes: z.int().describe("The maximum size of an archive, in bytes."),
    lifetimeDays: z
      .int()
      .describe("For how many days an import can be continued, and an archive be downloaded."),
  })
  .describe("The limits of exports and imports of a managed database.");

const sha256 = z.string().describe("SHA-256 of the bytes, in hex.");

/** A part of an import's archive. */
export const Part = z
  .object({
    partNumber: z.int().describe("The part's number in the archive, from 1."),
    sizeBytes: z.int().describe("The part's size in bytes."),
    sha256,
  })
  .meta({
    id: "DatabaseTransferPart",
    description: "An uploaded part of an archive.",
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
          name: z.string().describe("The table's name."),
          change: z
            .enum(["added", "missing", "kept"])
            .describe("Whether the table is in the archive, in the database, or in both."),
          archiveRows: z
            .int()
            .nullable()
            .describe("The number of rows in the archive; null if the table is not there."),
          databaseRows: z
            .int()
            .nullable()
            .describe("The number of rows in the database; null if the table is not there."),
        }),
      )
      .describe("Every table of the archive or the database."),
  })
  .meta({
    id: "DatabaseDifference",
    description: "A comparison of the archive's tables with the database's.",
    examples: [{ tables: [{ name: "orders", change: "added", archiveRows: 1200, databaseRows: null }] }],
  });

export type Difference = z.output<typeof Difference>;

const TransferDirection = z.enum(["export", "import"]).meta({ id: "TransferDirection" });

/** The public form of an export or an import. */
export const Transfer = z
  .object({
    id: typeId("transfer"),
    direction: TransferDirection.describe(
      "`export` copies the database into an archive; `import` loads an archive into the database.",
    ),
    status: z
      .enum(TRANSFER_STATUSES)
      .describe(
        "An import goes from `pending` through `uploading`, `validating` and `applying` to `completed`; an export from `building` to `ready`.",
      ),
    dryRun: z.boolean().describe("True if the import only checks and compares the archive."),
    difference: Difference.nullable().describe("The comparison of a completed dry run; otherwise null."),
    parts: z.array(Part).describe("The uploaded parts of an import, by number."),
    archive: z
      .object({ sizeBytes: z.int().describe("The archive's size in bytes."), sha256 })
      .nullable()
      .describe("The archive of an export that is ready; otherwise null."),
    error: z
      .object({
        code: z.string().describe("Machine-readable code of the fault."),
        message: z.string().describe("Human-readable description of the fault."),
        entry: z
          .string()
          .nullable()
          .describe("The archive entry with the fault; null if it concerns no entry."),
      })
      .nullable()
      .describe("Why the transfer failed; otherwise null."),
    expiresAt: instant.describe("When the transfer expires, or its archive is deleted."),
    createdAt: instant,
  })
  .meta({
    id: "DatabaseTransfer",
    description: "An export or import of the account's database.",
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
  direction: TransferDirection.describe("`export` or `import`."),
  dryRun: z
    .boolean()
    .optional()
    .describe("For an import: true to check the archive and compare it without applying it."),
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
          .describe("SHA-256 of the part's bytes, in hex."),
      }),
    )
    .min(1)
    .max(TRANSFER_LIMITS.maximumParts)
    .describe("Every part of the archive, in order."),
});
