const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** Private-use schemes without a dot that well-known apps have. */
const KNOWN_SCHEMES = new Set(["cursor", "vscode", "vscode-insiders", "windsurf", "zed", "claude"]);
const MAX_LENGTH = 2048;

/** What is wrong with an address that an app wants its browser sent to; null where nothing is (RFC 8252, 7). */
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

/** Whether an app that has named these may be answered there. A port on this computer is chosen when it is needed. */
export function isRedirectUri(known: readonly string[], asked: string): boolean {
  if (redirectUriFault(asked)) return false;
  if (known.includes(asked)) return true;
  const local = localPart(asked);
  return local !== null && known.some((one) => localPart(one) === local);
}

/** Of http on this computer everything but the port. */
function localPart(text: string): string | null {
  const { protocol, hostname, pathname, search } = new URL(text);
  return protocol === "http:" && LOOPBACK.has(hostname) ? `${hostname}${pathname}${search}` : null;
}

/** The address with parameters added to those it has. */
export function withParameters(address: string, added: Record<string, string | null>): string {
  const pairs = Object.entries(added).filter((pair): pair is [string, string] => pair[1] !== null);
  const query = new URLSearchParams(pairs).toString();
  return `${address}${address.includes("?") ? "&" : "?"}${query}`;
}
