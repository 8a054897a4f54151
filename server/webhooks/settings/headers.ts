import { openFor, type SealSecret, sealFor } from "#server/operation/seal.ts";
import { MAX_HEADERS } from "./schema.ts";

/** The webhook that sealed headers belong to; they cannot be opened for another. */
interface Owner {
  accountId: string;
  id: string;
}

/** Returns the sealing context of headers. */
export const headersContext = ({ accountId, id }: Owner): string => `webhook-headers/${accountId}/${id}`;

/** Returns the columns of these headers: sealed, with their names in clear. */
export function headerColumns(keys: SealSecret, owner: Owner, headers: Record<string, string>) {
  const headerNames = Object.keys(headers).sort();
  const plain = new TextEncoder().encode(JSON.stringify(headers));
  return {
    headerNames,
    headers: headerNames.length > 0 ? sealFor(keys, headersContext(owner), plain) : null,
  };
}

/** Opens the result of `headerColumns`. */
export function openHeaders(
  keys: SealSecret,
  owner: Owner,
  sealed: Uint8Array | null,
): Record<string, string> {
  if (!sealed) return {};
  const plain = openFor(keys, headersContext(owner), sealed);
  if (!plain) throw new Error(`The headers of ${owner.id} were sealed under another SEALING_KEY.`);
  return JSON.parse(new TextDecoder().decode(plain));
}

/** Returns the headers after a change: names in lower case; null removes one, null in place of all clears them. */
export function changedHeaders(
  before: Record<string, string>,
  changes: Record<string, string | null> | null,
): Record<string, string> {
  const named = Object.entries(changes ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  const all = { ...(changes && before), ...Object.fromEntries(named) };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

/** Returns the fault of too many headers, or null. */
export function countFault(headers: Record<string, string>): string | null {
  const count = Object.keys(headers).length;
  return count > MAX_HEADERS
    ? `The webhook would have ${count} headers. It has at most ${MAX_HEADERS}: remove some with null.`
    : null;
}
