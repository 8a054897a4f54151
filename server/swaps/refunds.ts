import { defined } from "#server/base/defined.ts";
import { callChain } from "#server/chains/call-chain.ts";
import { platform } from "#server/platform.ts";
import { bridgeOf, REFUND_DELAY_SECONDS } from "#server/providers/bridge/bridge.ts";
import { isPast, readClock } from "./chain-state.ts";
import type { RouteRow } from "./queries.ts";

/**
 * True if a route's deposit can be refunded: the deadline has certainly passed on both chains, the bridge still has the
 * deposit, and nobody has filled it.
 */
export async function isRefundable(route: RouteRow): Promise<boolean> {
  const { chains } = platform();
  const [origin, destination] = [chains.find(route.from.network), chains.find(route.to.network)];
  if (route.status !== "filling" || !route.order || !origin || !destination) return false;
  const deadline = BigInt(route.order.fillDeadline);
  const orderId = defined(route.orderId);
  const [near, far] = await Promise.all([
    callChain(origin, () => readClock(origin)),
    callChain(destination, () => readClock(destination)),
  ]);
  if (!isPast(near, deadline + REFUND_DELAY_SECONDS) || !isPast(far, deadline)) return false;
  const [here, there] = await Promise.all([
    callChain(origin, async () => bridgeOf(origin)?.readStatus(orderId)),
    callChain(destination, async () => bridgeOf(destination)?.readStatus(orderId)),
  ]);
  return here === "deposited" && there === "none";
}
