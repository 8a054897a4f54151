import { BaseError } from "viem";
import { BatchFull } from "#server/base/batch.ts";
import { OutboundError } from "../http/outbound-error.ts";

/** A chain's node is unreachable, silent, overloaded, or belongs to another chain. */
export class ChainUnavailable extends BaseError {
  /** How long the node asked to wait. */
  readonly retryAfterSeconds: number | null;

  constructor(network: string, fault: string, cause?: Error, retryAfterSeconds: number | null = null) {
    super(`The chain ${network} (CHAINS) ${fault}.`, { cause, name: "ChainUnavailable" });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Says why an installation has no chain, and names the operator's remedy. */
export function explainNoChain(settings: { lacksSandboxChains?: boolean | undefined }): string {
  return settings.lacksSandboxChains
    ? "This machine has no node for the sandbox's chains. Its operator installs Foundry's anvil on the PATH, or sets CHAINS."
    : "This installation has no chain. Its operator sets CHAINS.";
}

// JSON-RPC codes for too many requests and temporary refusals.
const BUSY = new Set([429, -32001, -32002, -32005, -32016]);

/**
 * The messages of nodes that lack a block which another request has shown: one behind a load balancer lags, or the chain is
 * just being reorganised.
 */
const LACKS_BLOCK = /BlockOutOfRange|header( for hash)? not found|unknown block|block not found/i;

/** Returns the error for a node's HTTP status other than success. */
export function statusFault(
  network: string,
  status: number,
  retryAfter: string | undefined,
): ChainUnavailable {
  const wait = Number(retryAfter);
  const seconds = Number.isInteger(wait) && wait > 0 ? wait : null;
  return new ChainUnavailable(network, `answered ${status}`, undefined, seconds);
}

/** Returns the failure of a request as the node's unavailability; null if the node itself refused the request. */
export function unavailabilityOf(network: string, reason: unknown): ChainUnavailable | null {
  const cause = reason instanceof Error ? reason : undefined;
  const fault = (text: string) => new ChainUnavailable(network, text, cause);
  if (reason instanceof ChainUnavailable) return reason;
  if (reason instanceof OutboundError)
    return fault(reason.reason === "timeout" ? "did not answer in time" : "is not available");
  if (reason instanceof BatchFull) return fault("has too many calls waiting");
  const { code, details } = reason as { code?: unknown; details?: unknown };
  if (typeof code === "number" && LACKS_BLOCK.test(String(details))) return fault("lacks a block");
  if (typeof code === "number") return BUSY.has(code) ? fault(`refused with code ${code}`) : null;
  return fault("gave an answer that is none");
}
