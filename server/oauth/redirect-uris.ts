const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** Private-use schemes without a dot that well-known apps use. */
const KNOWN_SCHEMES = new Set(["cursor", "vscode", "vscode-insiders", "windsurf", "zed", "claude"]);
const MAX_LENGTH = 2048;

/** Returns the fault of an app's redirect address; null if it has none (RFC 8252, 7). */
export function redirectUriFault(text: string): string | null {
  if (text.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (!/^[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return "is no valid address";
  const { protocol, hostname, username, password } = new URL(text);
  if (text.includes("#")) return "has a fragment";
  if (username || password) return "has a user";
  if (text.includes("*")) return "has a wildcard";
  const scheme = protocol.slice(0, -1);
  if (scheme === "https") return /^https:\/\/[^/]/i.test(text) ? null : "has no host";
  if (scheme === "http") return LOOPBACK.has(hostname) ? null : "is http beyond this computer";
  return scheme.includes(".") || KNOWN_SCHEMES.has(scheme) ? null : `has the scheme ${scheme}`;
}

/**
 * True if the requested redirect address is one of the registered ones. The port of a loopback address may differ.
 */
export function isRedirectUri(known: readonly string[], asked: string): boolean {
  if (redirectUriFault(asked)) return false;
  if (known.includes(asked)) return true;
  const local = localPart(asked);
  return local !== null && known.some((one) => localPart(one) === local);
}

/** Returns an http loopback address without its port; null for other addresses, and for invalid ones of a document. */
function localPart(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, pathname, search } = new URL(text);
  return protocol === "http:" && LOOPBACK.has(hostname) ? `${hostname}${pathname}${search}` : null;
}

/** Returns the address with parameters added to its query. */
export function withParameters(address: string, added: Record<string, string | null>): string {
  const pairs = Object.entries(added).filter((pair): pair is [string, string] => pair[1] !== null);
  const query = new URLSearchParams(pairs).toString();
  return `${address}${address.includes("?") ? "&" : "?"}${query}`;
}
