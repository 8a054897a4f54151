import { type HttpTransport, http } from "viem";
import { ChainUnavailable, unavailabilityOf } from "./unavailable.ts";

const TIMEOUT_MS = 5000;
/** For how long a node is believed to be the chain that it said it is. */
const BELIEVED_MS = 30_000;

/** Asks the node, whatever address viem names. It bounds the whole exchange; viem's own limit ends with the headers. */
function fetchFrom(rpcUrl: string): typeof fetch {
  const url = new URL(rpcUrl);
  const { username, password } = url;
  url.username = url.password = "";
  const credential = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  const auth = username ? { authorization: `Basic ${credential.toString("base64")}` } : undefined;
  return (_named, init) =>
    fetch(url, {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), ...auth },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
}

/** JSON-RPC to a node that is asked for its chain first, and every failure of which is a `ChainUnavailable`. */
export function nodeTransport(chainId: number, rpcUrl: string): HttpTransport {
  const network = `eip155:${chainId}`;
  // viem puts the address into its errors, and a node's address often holds a key.
  const plain = http(`https://${chainId}.eip155.invalid`, {
    ...{ retryCount: 0, timeout: TIMEOUT_MS, fetchFn: fetchFrom(rpcUrl) },
  });
  let believedUntil = 0;

  return (parameters) => {
    const node = plain(parameters);

    async function request(call: { method: string }) {
      try {
        const result: unknown = await node.request(call as Parameters<typeof node.request>[0]);
        if (result === undefined) throw new TypeError("The node's answer has neither a result nor an error.");
        return result;
      } catch (reason) {
        const fault = unavailabilityOf(network, reason);
        // What comes back afterwards may be another node.
        if (fault) believedUntil = 0;
        throw fault ?? reason;
      }
    }

    async function identify() {
      const answer = Number(await request({ method: "eth_chainId" }));
      if (answer !== chainId)
        throw new ChainUnavailable(network, `has a node that says it is eip155:${answer}`);
      believedUntil = performance.now() + BELIEVED_MS;
    }

    async function identified(call: { method: string }) {
      if (call.method !== "eth_chainId" && performance.now() > believedUntil) await identify();
      return request(call);
    }

    return { ...node, request: identified as typeof node.request };
  };
}
