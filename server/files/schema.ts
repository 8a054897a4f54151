import { z } from "zod";
import { exampleId, instant, label, typeId } from "#server/operation/fields.ts";

/** What a file may measure; published in `/pricing`. */
export const FILE_LIMITS = { maximumBytes: 5_368_709_120, maximumNameCharacters: 1024 } as const;

export const File = z
  .object({
    id: typeId("file"),
    name: z.string().describe("Its name, as it was uploaded."),
    mediaType: z.string().describe("What its bytes are, as its uploader said; nobody has checked."),
    sizeBytes: z.number().int().describe("How many bytes it has."),
    sha256: z.string().describe("SHA-256 of its bytes, in hex."),
    purpose: z.string().nullable().describe("What it is for, in the customer's own words."),
    projectId: typeId("project").nullable(),
    endUser: z.string().nullable().describe("The customer's own id of the end user that it belongs to."),
    createdAt: instant,
    downloadUrl: z
      .string()
      .nullable()
      .describe(
        "Gives the bytes without a key, for a quarter of an hour; null in events and once it is deleted.",
      ),
    downloadUrlExpiresAt: instant.nullable().describe("Until when `downloadUrl` works."),
  })
  .meta({
    id: "File",
    description: "Bytes that a customer has uploaded.",
    examples: [
      {
        id: exampleId("file"),
        name: "invoice-2027-01.pdf",
        mediaType: "application/pdf",
        sizeBytes: 48_213,
        sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        purpose: "invoices",
        projectId: exampleId("project"),
        endUser: "customer-81",
        createdAt: "2027-01-31T12:00:00.000Z",
        downloadUrl: "https://platform.example.com/downloads/WyJmaWxlIl0.c2lnbmF0dXJl",
        downloadUrlExpiresAt: "2027-01-31T12:15:00.000Z",
      },
    ],
  });

export type File = z.output<typeof File>;

export const FileParams = z.object({ fileId: typeId("file") });

const EXTENDED = /^utf-8'[a-z0-9-]*'/i;
// Controls, line and paragraph separators, and marks that turn the direction in which a name is read.
const INVISIBLE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** The text of a header that may be in the extended form of RFC 8187. */
function decoded(value: string, context: z.RefinementCtx): string {
  if (!EXTENDED.test(value)) return value;
  try {
    return decodeURIComponent(value.replace(EXTENDED, ""));
  } catch {
    context.addIssue("Begins with UTF-8'' and goes on with what is not percent-encoded UTF-8 (RFC 8187).");
    return z.NEVER;
  }
}

/** A file's name as it is: no path, nothing invisible. */
export const plainName = z
  .string()
  .refine((name) => /\S/u.test(name), "Send at least one character that is not white space.")
  .refine(
    (name) => [...name].length <= FILE_LIMITS.maximumNameCharacters,
    `At most ${FILE_LIMITS.maximumNameCharacters} characters.`,
  )
  .refine((name) => !/[/\\]/.test(name) && name !== "." && name !== "..", "Is a path. Send the name alone.")
  .refine((name) => !INVISIBLE.test(name), "Contains control characters or marks of direction.");

const fileName = z
  .string()
  .meta({ examples: ["invoice-2027-01.pdf"] })
  .transform(decoded)
  .pipe(plainName)
  .meta({
    description:
      "The file's name: UTF-8 as it is, or RFC 8187 (`UTF-8''%E2%82%AC.txt`). No path, controls or marks of direction.",
  });

export const purpose = label.refine((text) => !INVISIBLE.test(text), "Contains control characters.");

/** The headers of an upload. */
export const UploadHeaders = z.object({
  "X-File-Name": fileName,
  "X-Content-Sha256": z
    .string()
    .regex(/^[0-9a-f]{64}$/i, "Send the SHA-256 as 64 hexadecimal digits.")
    .meta({ examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"] })
    .transform((digest) => digest.toLowerCase())
    .optional()
    .meta({
      description: "The SHA-256 of the bytes in hex, if they are to be refused where they differ from it.",
    }),
  "X-Service-File-Purpose": purpose
    .optional()
    .meta({ description: "What the file is for, in your own words.", examples: ["invoices"] }),
});
