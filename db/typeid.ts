/** Crockford's base32 in lower case, the alphabet of TypeID (https://github.com/jetify-com/typeid, spec 0.3). */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** By character code, the five bits of a letter; of anything else 255. */
const BITS = new Uint8Array(128).fill(255);
for (const [bits, letter] of [...ALPHABET].entries()) BITS[letter.charCodeAt(0)] = bits;
const HEX = Array.from({ length: 256 }, (_, byte) => (byte + 256).toString(16).slice(1));

/** By character code, the four bits of a hexadecimal digit; of a hyphen 255. */
const NIBBLES = new Uint8Array(128).fill(255);
for (let nibble = 0; nibble < 16; nibble++) NIBBLES[nibble.toString(16).charCodeAt(0)] = nibble;
const LETTERS = Buffer.from(ALPHABET);
const suffix = Buffer.alloc(26);

/** Writes a UUID (`0190…-…`) as the 26 letters of a TypeID's suffix: two zero bits, then its 128, five to a letter. */
function encodeSuffix(uuid: string): string {
  let bits = 0;
  let count = 2;
  let length = 0;
  for (let index = 0; index < uuid.length; index++) {
    const nibble = NIBBLES[uuid.charCodeAt(index)] ?? 255;
    if (nibble > 15) continue;
    bits = (bits << 4) | nibble;
    count += 4;
    if (count < 5) continue;
    count -= 5;
    suffix[length++] = LETTERS[(bits >>> count) & 31] ?? 0;
  }
  return suffix.toString("latin1", 0, length);
}

function decodeSuffix(suffix: string): string | null {
  if (suffix.length !== 26) return null;
  let uuid = "";
  let bits = 0;
  // The first two of the 130 bits are zeros in front.
  let count = -2;
  for (let index = 0; index < 26; index++) {
    const five = BITS[suffix.charCodeAt(index)] ?? 255;
    if (five > 31 || (index === 0 && five > 7)) return null;
    bits = (bits << 5) | five;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    uuid += HEX[(bits >>> count) & 255];
    bits &= (1 << count) - 1;
    if (uuid.length === 8 || uuid.length === 13 || uuid.length === 18 || uuid.length === 23) uuid += "-";
  }
  return uuid;
}

/** `("proj", "0190…")` → `proj_01j…`. */
export function toTypeId(prefix: string, uuid: string): string {
  return `${prefix}_${encodeSuffix(uuid)}`;
}

/** `("proj", "proj_01j…")` → the UUID, or null for another prefix or anything malformed. */
export function fromTypeId(prefix: string, id: string): string | null {
  return id.startsWith(`${prefix}_`) ? decodeSuffix(id.slice(prefix.length + 1)) : null;
}

/** Returns the number that letters of an id stand for, five bits each. */
export const numberOf = (letters: string): number =>
  [...letters].reduce((bits, letter) => 32 * bits + ALPHABET.indexOf(letter), 0);
