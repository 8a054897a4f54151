import { getAddress, isAddress, isHash } from "viem";
import { defined } from "#server/defined.ts";
import { ID_PREFIXES, type IdKind, idsBeginning, uuidOf } from "#server/ids.ts";
import { patternOf } from "#server/operation/matching.ts";

/** The ids of a kind that begin with a text. */
export interface IdRange {
  kind: IdKind;
  first: string;
  last: string;
}

/** A search term in the forms that the indexes support. */
export interface Term {
  text: string;
  ids: IdRange | null;
  requestId: string | null;
  /** A transaction's hash, in lower case. */
  hash: string | null;
  /** With its EIP-55 checksum. */
  address: string | null;
  /** The stored prefix of a key whose secret was entered in part. */
  keyPrefix: string | null;
  /** The `ilike` patterns that a trigram index can find; if empty, only the newest rows are searched. */
  indexed: string[];
}

/** The number of characters of a secret that a key stores. */
const KEY_PREFIX = 15;

const kinds = new Map(
  Object.entries(ID_PREFIXES).map(([kind, prefix]) => [prefix as string, kind as IdKind]),
);

/** Parses a search text. */
export function termOf(text: string): Term {
  const kind = kinds.get(defined(text.toLowerCase().split("_")[0]));
  const ids = kind && idsBeginning(kind, text);
  return {
    text,
    ids: ids ? { kind, ...ids } : null,
    requestId: ids && kind === "request" ? text.toLowerCase() : null,
    hash: isHash(text) ? text.toLowerCase() : null,
    address: isAddress(text, { strict: false }) ? getAddress(text) : null,
    keyPrefix: /^svc_(live|oat)_/.test(text) ? text.slice(0, KEY_PREFIX) : null,
    indexed: patternsOf(text),
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
