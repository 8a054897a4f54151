import { isIP } from "node:net";
import { getPublicSuffix } from "tldts";

/** An entry of `allowedHosts`: one host with one port or any port, or every host below a domain. */
export interface AllowedHost {
  /** Lower case, in ASCII (punycode); an IPv6 address in brackets. */
  host: string;
  /** Null: any port. */
  port: number | null;
  wildcard: boolean;
}

const ENTRY = /^(\*\.)?(\[[0-9a-f:.]+\]|[^\s/?#@:[\]\\%*]+)(?::(\d{1,5}))?$/i;
const NAME = /^(?!.*\.\.)[a-z0-9_][a-z0-9_.-]*[a-z0-9_]$|^[a-z0-9]$/;
const DEFAULT_PORTS: Record<string, number> = { "https:": 443, "http:": 80 };

/** Parses an entry of `allowedHosts`; returns a message if it is faulty. */
export function readAllowedHost(text: string): AllowedHost | string {
  const [, star, named = "", digits] = ENTRY.exec(text) ?? [];
  const host = URL.canParse(`http://${named}`) ? new URL(`http://${named}`).hostname : "";
  const address = host.startsWith("[") || isIP(host) === 4;
  if (host === "" || host.length > 253 || (!address && !NAME.test(host)))
    return `${JSON.stringify(text)} is no host. Send host, host:port or *.domain.tld.`;
  const port = digits === undefined ? null : Number(digits);
  if (port === 0 || (port ?? 1) > 65_535) return `The port of ${text} is not between 1 and 65535.`;
  if (!star) return { host, port, wildcard: false };
  if (address || port !== null) return `${text} is no wildcard. Send *.domain.tld, without address and port.`;
  // Anybody can register a name below a public suffix, and would then receive the secret.
  if (getPublicSuffix(host, { allowPrivateDomains: true }) === host)
    return `*.${host} covers hosts of strangers: ${host} is a public suffix. Send *.domain.${host}.`;
  return { host, port, wildcard: true };
}

/** Returns the canonical text of an entry, so that equal entries are equal texts. */
export function writeAllowedHost({ host, port, wildcard }: AllowedHost): string {
  return `${wildcard ? "*." : ""}${host}${port === null ? "" : `:${port}`}`;
}

/** True if `wide` allows every address that `narrow` allows. */
function covers(wide: AllowedHost, narrow: AllowedHost): boolean {
  if (wide.wildcard)
    return narrow.host.endsWith(`.${wide.host}`) || (narrow.wildcard && narrow.host === wide.host);
  return !narrow.wildcard && narrow.host === wide.host && (wide.port === null || wide.port === narrow.port);
}

const hostsOf = (entries: readonly string[]): AllowedHost[] =>
  entries.map(readAllowedHost).filter((host) => typeof host !== "string");

/** Returns the entries that allow addresses which the earlier entries did not. */
export function widenedHosts(before: readonly string[], after: readonly string[]): string[] {
  const allowed = hostsOf(before);
  return hostsOf(after)
    .filter((wanted) => !allowed.some((host) => covers(host, wanted)))
    .map(writeAllowedHost);
}

/** True if a connection with these hosts may be used for the address. */
export function isAllowedUrl(entries: readonly string[], url: URL): boolean {
  const port = url.port === "" ? (DEFAULT_PORTS[url.protocol] ?? null) : Number(url.port);
  const wanted: AllowedHost = { host: url.hostname, port, wildcard: false };
  return hostsOf(entries).some((host) => covers(host, wanted));
}

/** Returns every entry that allows a `host:port`, or a `host` at port 443. Null if it is no host. */
export function entriesFor(text: string): string[] | null {
  const asked = readAllowedHost(text);
  if (typeof asked === "string" || asked.wildcard) return null;
  const names = asked.host.split(".");
  const above = names.slice(1).map((_, nth) => names.slice(nth + 1).join("."));
  return [
    asked.host,
    writeAllowedHost({ ...asked, port: asked.port ?? 443 }),
    ...above.map((host) => writeAllowedHost({ host, port: null, wildcard: true })),
  ];
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns the fault of an address for a secret, or null. Plain HTTP is allowed to this machine only, in the sandbox.
 */
export function addressFault(url: URL, sandbox: boolean): string | null {
  if (url.username !== "" || url.password !== "") return "has a user in it. Leave it out.";
  if (url.protocol === "https:") return null;
  if (url.protocol === "http:" && sandbox && LOOPBACK.test(url.hostname)) return null;
  return "would carry a secret unencrypted. Begin it with https://.";
}
