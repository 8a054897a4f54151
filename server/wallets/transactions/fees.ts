import { freshOf } from "#server/chains/fresh.ts";
import type { Chain } from "#server/providers/chain/chains.ts";

/** What a transaction offers per gas, in wei. */
export interface Fees {
  maxFee: bigint;
  priorityFee: bigint;
}

const FRESH_MS = 1000;
// Twice the base fee holds through six full blocks in a row.
const HEADROOM = 2n;

/** What the chain asks now; asked for once a second at most. */
export const feesOf = freshOf(FRESH_MS, readFees);

async function readFees({ client }: Chain): Promise<Fees> {
  const [block, priorityFee] = await Promise.all([
    client.getBlock({ blockTag: "latest" }),
    client.request({ method: "eth_maxPriorityFeePerGas" }).then(BigInt),
  ]);
  return { priorityFee, maxFee: (block.baseFeePerGas ?? 0n) * HEADROOM + priorityFee };
}

/** What a replacement offers: what the chain asks now, and enough above the last offer that nodes take it. */
export function raisedFees(last: Fees, now: Fees): Fees {
  const raised = (fee: bigint) => (fee * 5n) / 4n + 1n;
  const priorityFee = larger(raised(last.priorityFee), now.priorityFee);
  return { priorityFee, maxFee: larger(larger(raised(last.maxFee), now.maxFee), priorityFee) };
}

const larger = (one: bigint, other: bigint) => (one > other ? one : other);
