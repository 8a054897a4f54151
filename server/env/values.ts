import { isIP } from "node:net";
import { z } from "zod";

/** A value of a setting: not empty, without surrounding white space. */
export const text = z.string().trim().min(1);

/** A database of PostgreSQL. */
export const postgresUrl = text
  .regex(/^postgres(ql)?:\/\//, "must begin with postgres://.")
  .refine(URL.canParse, "is not a valid address.");

/** Returns the schema of an HTTP address to which paths are appended; `example` is shown in the error. */
export const httpUrl = (example: string) =>
  text
    .regex(/^https?:\/\//, `must begin with http:// or https://, like ${example}.`)
    .refine(URL.canParse, "is not a valid address.")
    .transform((value) => value.replace(/\/+$/, ""));

/** Returns the schema of an origin: a scheme, a host and perhaps a port. */
export const origin = (example: string) =>
  text
    .refine(URL.canParse, `is not a valid address; write it like ${example}.`)
    .transform((value) => new URL(value))
    .refine(({ protocol }) => /^https?:$/.test(protocol), "must begin with http:// or https://.")
    .refine(
      ({ pathname, search, hash, username }) => pathname === "/" && !search && !hash && !username,
      "must be an origin only: no path, query or user.",
    )
    .transform(({ origin }) => origin);

/** Returns the schema of values separated by commas, each of which must match. */
export const list = (fits: (entry: string) => boolean, refusal: string) =>
  text
    .transform((value) => value.split(",").map((entry) => entry.trim()))
    .refine((entries) => entries.every(fits), refusal);

/** Digits as a number. */
export const number = (digits: RegExp, kind: string) =>
  text.regex(digits, `must be ${kind}.`).transform(Number);

/** True for an IP address or a network such as `10.0.0.0/8`. */
export function isNetwork(value: string): boolean {
  const [address = "", prefix, ...rest] = value.split("/");
  const bits = isIP(address) === 4 ? 32 : 128;
  return (
    isIP(address) !== 0 &&
    rest.length === 0 &&
    (prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= bits))
  );
}
