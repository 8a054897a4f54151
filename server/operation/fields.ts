import { z } from "zod";
import { ID_PREFIXES, type IdKind, idOf, NIL_UUID, nameOf, uuidOf } from "#server/base/ids.ts";

/** The schema of an id of this kind. Its title names the resource in the error for a malformed id. */
export function typeId(kind: IdKind) {
  const prefix = ID_PREFIXES[kind];
  return z
    .string()
    .regex(
      new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`),
      `Not the id of any ${nameOf(kind)}; those begin with ${prefix}_.`,
    )
    .meta({
      title: nameOf(kind),
      description: `Id of the ${nameOf(kind)} (TypeID, \`${prefix}_…\`).`,
      examples: [exampleId(kind)],
    });
}

/** Returns the id of this kind that examples show. */
export function exampleId(kind: IdKind): string {
  return `${ID_PREFIXES[kind]}_01jz4w1n9vf5ha3kqcx8y2r7te`;
}

/**
 * The schema of an id that filters a list. A malformed id is treated like one that does not exist: the list
 * is empty.
 */
export function idFilter(kind: IdKind) {
  return z
    .string()
    .max(200)
    .meta({ examples: [exampleId(kind)] })
    .transform((text) => (uuidOf(kind, text) === null ? idOf(kind, NIL_UUID) : text));
}

/**
 * The schema of an id in a body. A malformed id passes: the handler responds as for one that does not exist.
 */
export function sentId(kind: IdKind) {
  return z
    .string()
    .max(200)
    .meta({ description: `Id of the ${nameOf(kind)}.`, examples: [exampleId(kind)] });
}

/** A timestamp in responses: ISO 8601 in UTC with milliseconds. */
export const instant = z.iso
  .datetime({ precision: 3 })
  .meta({ description: "ISO 8601, UTC, milliseconds.", examples: ["2027-01-31T12:00:00.000Z"] });

/** A timestamp in requests: any offset other than Z, or none, is refused, and the year 0, which PostgreSQL does not have. */
export const sentInstant = z.iso
  .datetime({
    error: ({ input }) =>
      input === undefined ? undefined : "Send an ISO 8601 timestamp in UTC, e.g. 2027-01-31T12:00:00.000Z.",
  })
  .refine((text) => !text.startsWith("0000"), "Send a moment in the year 0001 or later.")
  .meta({ examples: ["2027-01-31T12:00:00.000Z"] })
  .transform((text) => new Date(text).toISOString());

/** The characters that change the display direction of a text. */
export const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/;

/** 1 to 200 characters, not all of them white space. */
export const shortText = z
  .string()
  .max(200, "At most 200 characters.")
  .regex(/\S/, "Send at least one character that is not white space.");

/** True if a text has no characters that change its display direction. */
export const keepsDirection = (text: string) => !DIRECTION.test(text);
export const turnsDirection =
  "Leave out characters that turn the direction of text (U+202A to U+202E, U+2066 to U+2069): they make a text look like another one.";

/** The customer's own id of an end user, which people read. */
export const endUserName = z.string().min(1).max(200, "At most 200 characters.");

/** A name or label that people read. */
export const label = shortText.refine(keepsDirection, turnsDirection);

const METADATA_BYTES = 16 * 1024;

/** The customer's own values: at most 50 keys and 16 KB of JSON. */
export const metadata = z
  .record(z.string().max(200), z.json())
  .refine((value) => Object.keys(value).length <= 50, "At most 50 keys.")
  .refine(
    (value) => new TextEncoder().encode(JSON.stringify(value)).length <= METADATA_BYTES,
    "At most 16 KB of JSON.",
  )
  .meta({
    description: "The customer's own values, at most 50 keys and 16 KB.",
    examples: [{ costCentre: "eu-12" }],
  });
