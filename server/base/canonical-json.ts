import canonicalize from "canonicalize";

/** Returns canonical JSON (RFC 8785): equal values give equal text. The value must be JSON. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("Only JSON has a canonical form.");
  return text;
}
