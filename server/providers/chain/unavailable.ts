import { BaseError } from "viem";
import { BatchFull } from "#server/batch.ts";
import { OutboundError } from "../http/outbound-error.ts";

/** A chain's node that does not do its part: it is gone, silent, too busy, or not the chain that it should be. */
export class ChainUnavailable extends BaseError {
  /** For how long the node asked to be left alone. */
  readonly retryAfterSeconds: number | null;

  constructor(network: string, fault: string, cause?: Error, retryAfterSeconds: number | null = null) {
    super(`The chain ${network} (CHAINS) ${fault}.`, { cause, name: "ChainUnavailable" });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Why an installation has no chain, and what its operator does about it. */
export function explainNoChain(settings: { lacksSandboxChains?: boolean | undefined }): string {
  return settings.lacksSandboxChains
    ? "This machine has no node for the sandbox's chains. Its operator installs Foundry's anvil on the PATH, or sets CHAINS."
    : "This installation has no chain. Its operator sets CHAINS.";
}

// Too many requests and temporary refusals, as nodes and their vendors answer them inside JSON-RPC.
const BUSY = new Set([429, -32001, -32002, -32005, -32016]);

/** What a node's HTTP status says, other than success. */
export function statusFault(
  network: string,
  status: number,
  retryAfter: string | undefined,
): ChainUnavailable {
  const wait = Number(retryAfter);
  const seconds = Number.isInteger(wait) && wait > 0 ? wait : null;
  return new ChainUnavailable(network, `answered ${status}`, undefined, seconds);
}

/** The failure of a request as the node's fault; null where the node did its part and refused the request. */
export function unavailabilityOf(network: string, reason: unknown): ChainUnavailable | null {
  const cause = reason instanceof Error ? reason : undefined;
  const fault = (text: string) => new ChainUnavailable(network, text, cause);
  if (reason instanceof ChainUnavailable) return reason;
  if (reason instanceof OutboundError)
    return fault(reason.reason === "timeout" ? "did not answer in time" : "is not available");
  if (reason instanceof BatchFull) return fault("has too many calls waiting");
  const { code } = reason as { code?: unknown };
  if (typeof code === "number") return BUSY.has(code) ? fault(`refused with code ${code}`) : null;
  return fault("gave an answer that is none");
}
