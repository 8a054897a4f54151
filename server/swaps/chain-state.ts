import { type Hex, type TransactionReceipt, TransactionReceiptNotFoundError } from "viem";
import { callChain } from "#server/chains/call-chain.ts";
import type { Chain } from "#server/providers/chain/chains.ts";

/** Where a chain stands. */
export interface Clock {
  block: bigint;
  /** Unix seconds of its newest block. */
  timestamp: bigint;
  /** Unix seconds that its next block will have at least: a chain where nothing happens has an old newest block. */
  seconds: bigint;
}

export async function readClock({ client }: Chain): Promise<Clock> {
  const { number, timestamp } = await client.getBlock();
  const now = BigInt(Math.floor(Date.now() / 1000));
  return { block: number, timestamp, seconds: timestamp > now ? timestamp : now };
}

// The clocks of nodes and of ours differ by a little; what is over for certain is over by both.
const CLOCK_SKEW_SECONDS = 30n;

/** Whether no block to come can be at or before this moment. */
export function isPast({ timestamp, seconds }: Clock, moment: bigint): boolean {
  return timestamp > moment || seconds > moment + CLOCK_SKEW_SECONDS;
}

/** The receipt of a transaction; null where the chain has none. */
export function readReceipt(chain: Chain, hash: Hex): Promise<TransactionReceipt | null> {
  return callChain(chain, (client) =>
    client.getTransactionReceipt({ hash }).catch((reason) => {
      if (reason instanceof TransactionReceiptNotFoundError) return null;
      throw reason;
    }),
  );
}

/** Whether a block is as deep as the chain's settings ask for; or so many blocks deep. */
export async function isDeep(chain: Chain, block: bigint, depth = chain.confirmations): Promise<boolean> {
  const head = await callChain(chain, (client) => client.getBlockNumber({ cacheTime: 0 }));
  return head - block + 1n >= BigInt(depth);
}
