import { isIP } from "node:net";
import { z } from "zod";

/** A value as settings have it: not empty, without blanks around it. */
export const text = z.string().trim().min(1);

/** A database of PostgreSQL. */
export const postgresUrl = text
  .regex(/^postgres(ql)?:\/\//, "must begin with postgres://.")
  .refine(URL.canParse, "is not a valid address.");

/** An address over HTTP, to which paths are added; `example` stands in the refusal. */
export const httpUrl = (example: string) =>
  text
    .regex(/^https?:\/\//, `must begin with http:// or https://, like ${example}.`)
    .refine(URL.canParse, "is not a valid address.")
    .transform((value) => value.replace(/\/+$/, ""));

/** An origin: a scheme, a host and perhaps a port. */
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

/** Several values by commas, each of which must fit. */
export const list = (fits: (entry: string) => boolean, refusal: string) =>
  text
    .transform((value) => value.split(",").map((entry) => entry.trim()))
    .refine((entries) => entries.every(fits), refusal);

/** Digits as a number. */
export const number = (digits: RegExp, kind: string) =>
  text.regex(digits, `must be ${kind}.`).transform(Number);

/** An address, or a network of addresses: `10.0.0.0/8`. */
export function isNetwork(value: string): boolean {
  const [address = "", prefix, ...rest] = value.split("/");
  const bits = isIP(address) === 4 ? 32 : 128;
  return (
    isIP(address) !== 0 &&
    rest.length === 0 &&
    (prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= bits))
  );
}
