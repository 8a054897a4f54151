import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

function plain(address: string) {
  return address.startsWith("::ffff:") ? address.slice(7) : address;
}

function familyOf(address: string) {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

/**
 * Returns a request's client address: the peer's or, if the peer is a trusted proxy (an address or a network like
 * `10.0.0.0/8`), the last forwarded address that is not a trusted proxy itself.
 */
export function createAddressReader(trustedProxies: string[]) {
  const trusted = new BlockList();
  for (const proxy of trustedProxies) {
    const [address = "", prefix] = proxy.split("/");
    if (prefix) trusted.addSubnet(address, Number(prefix), familyOf(address));
    else trusted.addAddress(address, familyOf(address));
  }

  return function readAddress({ socket, headers }: IncomingMessage) {
    let address = plain(socket.remoteAddress ?? "");
    if (trustedProxies.length === 0) return address;
    const hops = String(headers["x-forwarded-for"] ?? "").split(",");
    while (trusted.check(address, familyOf(address)) && hops.length > 0) {
      const hop = plain(hops.pop()?.trim() ?? "");
      if (isIP(hop) === 0) break;
      address = hop;
    }
    return address;
  };
}
