/** Crockford's base32 in lower case, the alphabet of TypeID (https://github.com/jetify-com/typeid, spec 0.3). */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const VALUES = new Map([...ALPHABET].map((letter, value) => [letter, value]));

/** Writes a UUID (`0190…-…`) as the 26 letters of a TypeID's suffix. */
function encodeSuffix(uuid: string): string {
  const hex = uuid.replaceAll("-", "");
  // 26 letters hold 130 bits: two zero bits, then the 128 of the UUID, taken 20 bits (5 hex digits) at a time.
  const bits = `0${hex}`;
  let suffix = "";
  let carry = 0;
  let carried = 2;
  let start = 1;
  for (let letters = 0; letters < 26; letters++) {
    while (carried < 5) {
      carry = (carry << 4) | Number.parseInt(bits.charAt(start), 16);
      start += 1;
      carried += 4;
    }
    carried -= 5;
    suffix += ALPHABET.charAt((carry >> carried) & 31);
    carry &= (1 << carried) - 1;
  }
  return suffix;
}

function decodeSuffix(suffix: string): string | null {
  if (suffix.length !== 26 || suffix.charAt(0) > "7") return null;
  let hex = "";
  let carry = 0;
  let carried = -2;
  for (const letter of suffix) {
    const value = VALUES.get(letter);
    if (value === undefined) return null;
    carry = (carry << 5) | value;
    carried += 5;
    while (carried >= 4) {
      carried -= 4;
      hex += ((carry >> carried) & 15).toString(16);
      carry &= (1 << carried) - 1;
    }
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** `("proj", "0190…")` → `proj_01j…`. */
export function toTypeId(prefix: string, uuid: string): string {
  return `${prefix}_${encodeSuffix(uuid)}`;
}

/** `("proj", "proj_01j…")` → the UUID, or null for another prefix or anything malformed. */
export function fromTypeId(prefix: string, id: string): string | null {
  return id.startsWith(`${prefix}_`) ? decodeSuffix(id.slice(prefix.length + 1)) : null;
}
