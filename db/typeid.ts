/** Crockford's base32 in lower case, the alphabet of TypeID (https://github.com/jetify-com/typeid, spec 0.3). */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** Each pair of letters with the ten bits that it holds. */
const PAIRS = Array.from(
  { length: 1024 },
  (_, bits) => ALPHABET.charAt(bits >> 5) + ALPHABET.charAt(bits & 31),
);
const BITS_OF_PAIR = new Map(PAIRS.map((pair, bits) => [pair, bits]));

const pairs = (bits: number) => `${PAIRS[(bits >>> 10) & 1023]}${PAIRS[bits & 1023]}`;

/** Writes a UUID (`0190…-…`) as the 26 letters of a TypeID's suffix: two zero bits, then its 128, five to a letter. */
function encodeSuffix(uuid: string): string {
  const hex = uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(14, 18) + uuid.slice(19, 23) + uuid.slice(24);
  // The first two letters hold the first eight bits; six groups of 20 bits (five hex digits) follow.
  let suffix = PAIRS[Number.parseInt(hex.slice(0, 2), 16)] ?? "";
  for (let start = 2; start < 32; start += 5)
    suffix += pairs(Number.parseInt(hex.slice(start, start + 5), 16));
  return suffix;
}

function decodeSuffix(suffix: string): string | null {
  if (suffix.length !== 26) return null;
  const first = BITS_OF_PAIR.get(suffix.slice(0, 2));
  if (first === undefined || first > 255) return null;
  let hex = (first + 0x100).toString(16).slice(1);
  for (let start = 2; start < 26; start += 4) {
    const high = BITS_OF_PAIR.get(suffix.slice(start, start + 2));
    const low = BITS_OF_PAIR.get(suffix.slice(start + 2, start + 4));
    if (high === undefined || low === undefined) return null;
    hex += ((high << 10) + low + 0x100000).toString(16).slice(1);
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
