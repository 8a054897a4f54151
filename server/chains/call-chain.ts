import { BaseError } from "viem";
import { log } from "#server/base/log.ts";
import { onceAMinute } from "#server/base/pace.ts";
import { endTurn } from "#server/base/turn-of-call.ts";
import { ApiError, invalid } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { ChainUnavailable, explainNoChain } from "#server/providers/chain/unavailable.ts";

const RETRY_AFTER_SECONDS = 5;
/** Callers may be many: each chain's faults are logged once a minute. */
const isDue = onceAMinute();

/**
 * Calls a chain's node. If the node is unavailable, the caller gets a 503 with this `operationState`; an error that the
 * node itself returned, such as a revert, is rethrown as viem threw it.
 */
export async function callChain<Result>(
  chain: Chain,
  work: (client: Chain["client"]) => Promise<Result>,
  operationState: "not_started" | "unknown" = "not_started",
): Promise<Result> {
  endTurn();
  try {
    return await work(chain.client);
  } catch (reason) {
    const fault =
      reason instanceof BaseError ? reason.walk((cause) => cause instanceof ChainUnavailable) : null;
    if (!(fault instanceof ChainUnavailable)) throw reason;
    if (isDue(chain.network)) log.warn("A chain's node failed.", { network: chain.network, error: fault });
    throw new ApiError(
      "service_unavailable",
      fault.shortMessage,
      { operationState, retryAfterSeconds: fault.retryAfterSeconds ?? RETRY_AFTER_SECONDS },
      { cause: reason },
    );
  }
}

/** Returns the chain that a field names: 503 if this installation has no chains, 400 if it has others. */
export function chainNamed(network: string, path: string): Chain {
  const { all, find } = platform().chains;
  if (all.length === 0) throw new ApiError("service_unavailable", explainNoChain(platform().settings));
  const chain = find(network);
  if (chain) return chain;
  const known = all.map((one) => one.network).join(", ");
  throw invalid(path, `${network} is no chain of this installation; it has ${known}.`);
}
