import { z } from "zod";
import { ID_PREFIXES, type IdKind, idOf, NIL_UUID, nameOf, uuidOf } from "#server/ids.ts";

/** An id of this kind on the wire. Its title names the thing, for the refusal of a malformed one. */
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

/** The id that examples show. */
export function exampleId(kind: IdKind): string {
  return `${ID_PREFIXES[kind]}_01jz4w1n9vf5ha3kqcx8y2r7te`;
}

/** An id that a list is narrowed to. A malformed one is like one that is missing: it selects nothing. */
export function idFilter(kind: IdKind) {
  return z
    .string()
    .max(200)
    .meta({ examples: [exampleId(kind)] })
    .transform((text) => (uuidOf(kind, text) === null ? idOf(kind, NIL_UUID) : text));
}

/** An id that a body names. A malformed one goes through: the handler answers it like one that is missing. */
export function sentId(kind: IdKind) {
  return z
    .string()
    .max(200)
    .meta({ description: `Id of the ${nameOf(kind)}.`, examples: [exampleId(kind)] });
}

/** A moment of the platform: ISO 8601 in UTC with milliseconds. */
export const instant = z.iso
  .datetime({ precision: 3 })
  .meta({ description: "ISO 8601, UTC, milliseconds.", examples: ["2027-01-31T12:00:00.000Z"] });

/** A moment that a caller sends: another offset than Z, or none, is refused. */
export const sentInstant = z.iso
  .datetime({
    error: ({ input }) =>
      input === undefined ? undefined : "Send an ISO 8601 timestamp in UTC, e.g. 2027-01-31T12:00:00.000Z.",
  })
  .meta({ examples: ["2027-01-31T12:00:00.000Z"] })
  .transform((text) => new Date(text).toISOString());

const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/;

/** 1 to 200 characters, not only white space. */
export const shortText = z
  .string()
  .max(200, "At most 200 characters.")
  .regex(/\S/, "Send at least one character that is not white space.");

/** Whether a text is shown in the order in which it is written. */
export const keepsDirection = (text: string) => !DIRECTION.test(text);
export const turnsDirection =
  "Leave out characters that turn the direction of text (U+202A to U+202E, U+2066 to U+2069): they make a name look like another one.";

/** Text by which people know something. */
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
