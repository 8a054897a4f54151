import { type HttpTransport, http } from "viem";
import { ChainUnavailable, unavailabilityOf } from "./unavailable.ts";

const TIMEOUT_MS = 5000;
/** For how long a node is believed to be the chain that it said it is. */
const BELIEVED_MS = 30_000;

/** Bounds the whole exchange; viem's own limit ends with the response's headers. */
const boundedFetch: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });

/** JSON-RPC to a node that is asked for its chain first, and every failure of which is a `ChainUnavailable`. */
export function nodeTransport(chainId: number, rpcUrl: string): HttpTransport {
  const network = `eip155:${chainId}`;
  const plain = http(rpcUrl, { retryCount: 0, timeout: TIMEOUT_MS, fetchFn: boundedFetch });
  let believedUntil = 0;
  let asking: Promise<void> | undefined;

  return (parameters) => {
    const node = plain(parameters);

    async function request(call: { method: string }) {
      try {
        const result: unknown = await node.request(call as Parameters<typeof node.request>[0]);
        if (result === undefined) throw new TypeError("The node's answer has neither a result nor an error.");
        return result;
      } catch (reason) {
        throw unavailabilityOf(network, reason) ?? reason;
      }
    }

    async function identify() {
      const answer = Number(await request({ method: "eth_chainId" }));
      if (answer !== chainId)
        throw new ChainUnavailable(network, `has a node that says it is eip155:${answer}`);
      believedUntil = performance.now() + BELIEVED_MS;
    }

    async function identified(call: { method: string }) {
      if (performance.now() > believedUntil) {
        asking ??= identify().finally(() => {
          asking = undefined;
        });
        await asking;
      }
      return request(call);
    }

    return { ...node, request: identified as typeof node.request };
  };
}
