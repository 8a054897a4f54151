import dns from "node:dns/promises";
import ipaddr from "ipaddr.js";

/** What may be reached: the public internet, this machine beside it, or (the operator's own addresses) anything. */
export type Reach = "public" | "loopback" | "any";

// Public by their range, yet answered by a cloud's own hosts: Azure's WireServer.
const METADATA = new Set(["168.63.129.16"]);
// A name server that does not answer now; asking the system's resolver would block one of its few threads.
const UNANSWERED = new Set(["ETIMEOUT", "ESERVFAIL"]);
const GLOBAL_V6 = ipaddr.parseCIDR("2000::/3");

/** Whether an address may be connected to. What is neither plainly public nor allowed is refused. */
export function isReachable(address: string, reach: Reach): boolean {
  if (reach === "any") return true;
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range === "loopback") return reach === "loopback";
  if (range !== "unicast" || METADATA.has(parsed.toString())) return false;
  return parsed.kind() === "ipv4" || parsed.match(GLOBAL_V6);
}

/** The address that a URL's host is, without brackets; null for a name. */
export function literalOf(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, "");
  return ipaddr.isValid(bare) ? bare : null;
}

/** Whether a URL's host is this machine by name (RFC 6761). */
export function isLocalhost(hostname: string): boolean {
  return /^(.+\.)?localhost\.?$/i.test(hostname);
}

/** A name's addresses. Asks the name servers without a thread, so that a slow one holds up nobody else. */
export async function addressesOf(hostname: string): Promise<string[]> {
  if (isLocalhost(hostname)) return ["127.0.0.1", "::1"];
  const [v4, v6] = await Promise.allSettled([dns.resolve4(hostname), dns.resolve6(hostname)]);
  const found = [v4, v6].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (found.length > 0) return found;
  if (v4.status === "rejected" && UNANSWERED.has(v4.reason.code)) throw v4.reason;
  // What only the machine's own table of hosts knows.
  return (await dns.lookup(hostname, { all: true })).map(({ address }) => address);
}
