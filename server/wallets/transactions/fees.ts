import { parseGwei } from "viem";
import { freshOf } from "#server/chains/fresh.ts";
import type { Chain } from "#server/providers/chain/chains.ts";

/** A transaction's fees per gas, in wei. */
export interface Fees {
  maxFee: bigint;
  priorityFee: bigint;
}

const FRESH_MS = 1000;
// Twice the base fee holds through six full blocks in a row.
const HEADROOM = 2n;
const DEFAULT_MAX_GAS_PRICE_GWEI = 500;

/** Returns the chain's current fees, read at most once a second. */
export const feesOf = freshOf(FRESH_MS, readFees);

async function readFees(chain: Chain): Promise<Fees> {
  const { client } = chain;
  const [block, priorityFee] = await Promise.all([
    client.getBlock({ blockTag: "latest" }),
    client.request({ method: "eth_maxPriorityFeePerGas" }).then(BigInt),
  ]);
  return bounded(chain, { priorityFee, maxFee: (block.baseFeePerGas ?? 0n) * HEADROOM + priorityFee });
}

/** Caps fees at the chain's configured maximum, whatever its node suggests. */
function bounded(
  { maxGasPriceGwei = DEFAULT_MAX_GAS_PRICE_GWEI }: Chain,
  { maxFee, priorityFee }: Fees,
): Fees {
  const most = parseGwei(String(maxGasPriceGwei));
  return { maxFee: smaller(maxFee, most), priorityFee: smaller(priorityFee, most) };
}

/**
 * Returns the fees of a replacement: the current ones, and enough above the last offer for nodes to accept it; null if
 * the chain's maximum allows no more.
 */
export function raisedFees(chain: Chain, last: Fees, now: Fees): Fees | null {
  const raised = (fee: bigint) => (fee * 5n) / 4n + 1n;
  const priorityFee = larger(raised(last.priorityFee), now.priorityFee);
  const wanted = { priorityFee, maxFee: larger(larger(raised(last.maxFee), now.maxFee), priorityFee) };
  const offered = bounded(chain, wanted);
  return offered.maxFee < raised(last.maxFee) || offered.priorityFee < raised(last.priorityFee)
    ? null
    : offered;
}

const smaller = (one: bigint, other: bigint) => (one < other ? one : other);
const larger = (one: bigint, other: bigint) => (one > other ? one : other);
