import { z } from "zod";
import { ID_PREFIXES, type IdKind } from "#server/ids.ts";

/** An id of this kind on the wire. */
export function typeId(kind: IdKind) {
  const prefix = ID_PREFIXES[kind];
  return z
    .string()
    .regex(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`))
    .describe(
      `Id of the ${kind.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)} (TypeID, \`${prefix}_…\`).`,
    );
}

/** A moment of the platform: ISO 8601 in UTC with milliseconds. */
export const instant = z.iso.datetime({ precision: 3 }).describe("ISO 8601, UTC, milliseconds.");

/** A moment that a caller sends: another offset than Z, or none, is refused. */
export const sentInstant = z.iso
  .datetime({ error: "Send an ISO 8601 timestamp in UTC, e.g. 2027-01-31T12:00:00.000Z." })
  .transform((text) => new Date(text).toISOString());

/** Text that names something: 1 to 200 characters, not only white space. */
export const label = z
  .string()
  .max(200, "At most 200 characters.")
  .regex(/\S/, "Send at least one character that is not white space.");

const METADATA_BYTES = 16 * 1024;

/** The customer's own values: at most 50 keys and 16 KB of JSON. */
export const metadata = z
  .record(z.string().max(200), z.json())
  .refine((value) => Object.keys(value).length <= 50, "At most 50 keys.")
  .refine(
    (value) => new TextEncoder().encode(JSON.stringify(value)).length <= METADATA_BYTES,
    "At most 16 KB of JSON.",
  )
  .describe("The customer's own values, at most 50 keys and 16 KB.");
