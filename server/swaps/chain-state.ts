import { type Hex, type TransactionReceipt, TransactionReceiptNotFoundError } from "viem";
import { currentMs } from "#server/base/clock.ts";
import { callChain } from "#server/chains/call-chain.ts";
import type { Chain } from "#server/providers/chain/chains.ts";

/** The newest block of a chain, and its clock. */
export interface Clock {
  block: bigint;
  /** Unix seconds of its newest block. */
  timestamp: bigint;
  /** The least time, in Unix seconds, of its next block: an idle chain has an old newest block. */
  seconds: bigint;
}

export async function readClock({ client }: Chain): Promise<Clock> {
  const { number, timestamp } = await client.getBlock();
  const now = BigInt(Math.floor(currentMs() / 1000));
  return { block: number, timestamp, seconds: timestamp > now ? timestamp : now };
}

// The clocks of nodes and of this process differ slightly; a moment is certainly past only by both.
const CLOCK_SKEW_SECONDS = 30n;

/** True if no later block can be at or before this moment. */
export function isPast({ timestamp, seconds }: Clock, moment: bigint): boolean {
  return timestamp > moment || seconds > moment + CLOCK_SKEW_SECONDS;
}

/** Returns the receipt of a transaction; null if the chain has none. */
export function readReceipt(chain: Chain, hash: Hex): Promise<TransactionReceipt | null> {
  return callChain(chain, (client) =>
    client.getTransactionReceipt({ hash }).catch((reason) => {
      if (reason instanceof TransactionReceiptNotFoundError) return null;
      throw reason;
    }),
  );
}

/** True if a block is at this depth in the chain; by default the depth at which the chain counts as confirmed. */
export async function isDeep(chain: Chain, block: bigint, depth = chain.confirmations): Promise<boolean> {
  const head = await callChain(chain, (client) => client.getBlockNumber({ cacheTime: 0 }));
  return head - block + 1n >= BigInt(depth);
}
