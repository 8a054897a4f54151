import { getAddress, isAddress, isHash } from "viem";
import { numberOf } from "#db/typeid.ts";
import { defined } from "#server/base/defined.ts";
import { ID_PREFIXES, type IdKind, idsBeginning, uuidOf } from "#server/base/ids.ts";
import { keysOf } from "#server/base/keys-of.ts";
import { patternOf } from "#server/operation/matching.ts";

/** The ids of a kind that begin with a text. */
export interface IdRange {
  kind: IdKind;
  first: string;
  last: string;
}

/** A part of an id behind its time. */
interface IdPart {
  /** Null: of any kind. */
  kind: IdKind | null;
  /** The `like` pattern for `idText`. */
  pattern: string;
  /** The number of the last six characters (`idEnd`), if the part is the end of an id; null for a shorter one. */
  end: number | null;
}

/** A search term in the forms that the indexes support. */
export interface Term {
  text: string;
  ids: IdRange[];
  idPart: IdPart | null;
  requestId: string | null;
  /** A transaction's hash, in lower case. */
  hash: string | null;
  /** With its EIP-55 checksum. */
  address: string | null;
  /** The stored prefix of a key whose secret was entered in part. */
  keyPrefix: string | null;
  /** The `ilike` pattern of a part of a hash or an address; both may have their middle left out. */
  hexPart: string | null;
  /** The `ilike` patterns that a trigram index can find; if empty, only the newest rows are searched. */
  indexed: string[];
}

/** The number of characters of a secret that a key stores. */
const KEY_PREFIX = 15;

const allKinds = keysOf(ID_PREFIXES);
const kinds = new Map<string, IdKind>(allKinds.map((kind) => [ID_PREFIXES[kind], kind]));

/** The least and most characters of a part: fewer form no trigram, and more would include the time. */
const PART = /^[0-9a-hjkmnp-tv-z]{3,20}$/;
/** The characters of an id's end that have an index (`idEndIndex`). */
const END = 6;
/** The least characters of an id without its prefix that are compared with the beginning of all kinds. */
const BEGUN = 8;

/** Parses a search text. */
export function termOf(text: string): Term {
  const lower = text.toLowerCase();
  const kind = kinds.get(defined(lower.split("_")[0]));
  const ids = rangesOf(lower, kind);
  return {
    text,
    ids,
    idPart: idPartOf(lower, kind),
    requestId: ids.some((range) => range.kind === "request") ? lower : null,
    hash: isHash(text) ? lower : null,
    address: isAddress(text, { strict: false }) ? getAddress(text) : null,
    keyPrefix: /^svc_(live|oat)_/.test(text) ? text.slice(0, KEY_PREFIX) : null,
    hexPart: /^(0x)?[0-9a-f]{3,64}(…[0-9a-f]+)?$/.test(lower) ? patternOf(lower).replace("…", "%") : null,
    indexed: patternsOf(text),
  };
}

function rangesOf(text: string, kind: IdKind | undefined): IdRange[] {
  const begun =
    kind || text.length < BEGUN
      ? [[kind, text] as const]
      : allKinds.map((one) => [one, `${ID_PREFIXES[one]}_${text}`] as const);
  return begun.flatMap(([one, id]) => {
    const range = one && idsBeginning(one, id);
    return range ? { kind: one, ...range } : [];
  });
}

/** Takes a part with or without a prefix, and an id whose beginning is left out, as pages show it: `key_01m8…x7k2q9`. */
function idPartOf(text: string, kind: IdKind | undefined): IdPart | null {
  const rest = kind ? text.slice(ID_PREFIXES[kind].length + 1) : text;
  const [begun = "", shown] = rest.split("…");
  const part = shown ?? begun;
  if (!PART.test(part) || (shown !== undefined && begun !== "" && !kind)) return null;
  return {
    kind: kind ?? null,
    pattern: shown === undefined ? `%${part}%` : `%${part}`,
    end: part.length < END ? null : numberOf(part.slice(-END)),
  };
}

/** Returns the range of a single id. */
export function exactly(id: string): IdRange | null {
  const kind = kinds.get(defined(id.split("_")[0]));
  return kind && uuidOf(kind, id) !== null ? { kind, first: id, last: id } : null;
}

/** Three consecutive letters or digits form a trigram anywhere, fewer only at the beginning of a word. */
function patternsOf(text: string): string[] {
  if (/[\p{L}\p{N}]{3}/u.test(text)) return [patternOf(text)];
  if (!/^[\p{L}\p{N}]/u.test(text)) return [];
  const pattern = patternOf(text).slice(1);
  return [pattern, `% ${pattern}`];
}
