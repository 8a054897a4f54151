import { openFor, type SealSecret, sealFor } from "#server/operation/seal.ts";
import { MOST_HEADERS } from "./schema.ts";

/** Which webhook the headers belong to: sealed, they open for no other. */
interface Owner {
  accountId: string;
  id: string;
}

/** What headers are sealed for. */
export const headersContext = ({ accountId, id }: Owner): string => `webhook-headers/${accountId}/${id}`;

/** The columns of these headers: sealed, with their names in the clear. */
export function headerColumns(keys: SealSecret, owner: Owner, headers: Record<string, string>) {
  const headerNames = Object.keys(headers).sort();
  const plain = new TextEncoder().encode(JSON.stringify(headers));
  return {
    headerNames,
    headers: headerNames.length > 0 ? sealFor(keys, headersContext(owner), plain) : null,
  };
}

/** Opens what `headerColumns` sealed. */
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

/** The headers after a change: names in lower case; null removes one, null in place of all clears them. */
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

/** What is wrong with so many headers; null where nothing is. */
export function countFault(headers: Record<string, string>): string | null {
  const count = Object.keys(headers).length;
  return count > MOST_HEADERS
    ? `The webhook would have ${count} headers. It has at most ${MOST_HEADERS}: remove some with null.`
    : null;
}
