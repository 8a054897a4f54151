import { z } from "zod";
import { exampleId, instant, label, typeId } from "#server/operation/fields.ts";

/** The limits of a file; published in `/pricing`. */
export const FILE_LIMITS = { maximumBytes: 5_368_709_120, maximumNameCharacters: 1024 } as const;

export const File = z
  .object({
    id: typeId("file"),
    name: z.string().describe("The file's name, as uploaded."),
    mediaType: z.string().describe("The media type that the uploader declared; it is not verified."),
    sizeBytes: z.number().int().describe("The file's size in bytes."),
    sha256: z.string().describe("SHA-256 of the file's bytes, in hex."),
    purpose: z.string().nullable().describe("The file's purpose, in your own words; null if none was sent."),
    projectId: typeId("project").nullable(),
    endUser: z
      .string()
      .nullable()
      .describe("Your own id of the end user that the file belongs to; null if none."),
    createdAt: instant,
    downloadUrl: z
      .string()
      .nullable()
      .describe(
        "An address that returns the bytes without a key, for 15 minutes, while the caller may call `files.read`; null if they may not, in events, and after deletion.",
      ),
    downloadUrlExpiresAt: instant.nullable().describe("When `downloadUrl` expires."),
  })
  .meta({
    id: "File",
    description: "An uploaded file.",
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
// Matches control characters, line and paragraph separators, and marks that change the direction of text.
const INVISIBLE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Returns the text of a header that may use the extended form of RFC 8187. */
function decoded(value: string, context: z.RefinementCtx): string {
  if (!EXTENDED.test(value)) return value;
  try {
    return decodeURIComponent(value.replace(EXTENDED, ""));
  } catch {
    context.addIssue("Begins with UTF-8'' but is not percent-encoded UTF-8 (RFC 8187).");
    return z.NEVER;
  }
}

/** A file's name: not a path, and without invisible characters. */
export const plainName = z
  .string()
  .refine((name) => /\S/u.test(name), "Send at least one character that is not white space.")
  .refine(
    (name) => [...name].length <= FILE_LIMITS.maximumNameCharacters,
    `At most ${FILE_LIMITS.maximumNameCharacters} characters.`,
  )
  .refine((name) => !/[/\\]/.test(name) && name !== "." && name !== "..", "Is a path. Send the name alone.")
  .refine((name) => !INVISIBLE.test(name), "Contains control characters or text direction marks.");

const fileName = z
  .string()
  .meta({ examples: ["invoice-2027-01.pdf"] })
  .transform(decoded)
  .pipe(plainName)
  .meta({
    description:
      "The file's name: UTF-8 as it is, or RFC 8187 (`UTF-8''%E2%82%AC.txt`). No path, control characters or text direction marks.",
  });

const purpose = label.refine((text) => !INVISIBLE.test(text), "Contains control characters.");

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
      description: "The expected SHA-256 of the bytes, in hex; different bytes are refused.",
    }),
  "X-Service-File-Purpose": purpose
    .optional()
    .meta({ description: "What the file is for, in your own words.", examples: ["invoices"] }),
});
