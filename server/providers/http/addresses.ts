import dns from "node:dns/promises";
import ipaddr from "ipaddr.js";

/** The reachable addresses: the public internet, also this machine, or (for the operator's own addresses) any. */
export type Reach = "public" | "loopback" | "any";

// In a public range, but served by a cloud's own hosts: Azure's WireServer.
const METADATA = new Set(["168.63.129.16"]);
// Codes of an unavailable name server; asking the system's resolver then would block one of its few threads.
const UNANSWERED = new Set(["ETIMEOUT", "ESERVFAIL"]);
const GLOBAL_V6 = ipaddr.parseCIDR("2000::/3");

/** True if an address may be connected to: it is plainly public or explicitly allowed. */
export function isReachable(address: string, reach: Reach): boolean {
  if (reach === "any") return true;
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range === "loopback") return reach === "loopback";
  if (range !== "unicast" || METADATA.has(parsed.toString())) return false;
  return parsed.kind() === "ipv4" || parsed.match(GLOBAL_V6);
}

/** Returns the IP address of a URL's host, without brackets; null for a name. */
export function literalOf(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, "");
  return ipaddr.isValid(bare) ? bare : null;
}

/** True if a URL's host names this machine (RFC 6761). */
export function isLocalhost(hostname: string): boolean {
  return /^(.+\.)?localhost\.?$/i.test(hostname);
}

/** Returns a name's addresses. Queries name servers without a thread, so that a slow one delays nobody else. */
export async function addressesOf(hostname: string): Promise<string[]> {
  if (isLocalhost(hostname)) return ["127.0.0.1", "::1"];
  const [v4, v6] = await Promise.allSettled([dns.resolve4(hostname), dns.resolve6(hostname)]);
  const found = [v4, v6].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (found.length > 0) return found;
  if (v4.status === "rejected" && UNANSWERED.has(v4.reason.code)) throw v4.reason;
  // Names that only the machine's own hosts file knows.
  return (await dns.lookup(hostname, { all: true })).map(({ address }) => address);
}
