import { type Address, type Hex, type TransactionReceipt, TransactionReceiptNotFoundError } from "viem";
import { callChain } from "#server/chains/call-chain.ts";
import { erc20Abi } from "#server/providers/chain/abi.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import type { Trade } from "./find-trade.ts";

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

/** What the contract that a trade needs may take already; as much as is given where it needs none. */
export async function readAllowance(trade: Trade, owner: Address): Promise<bigint> {
  const { spender, amountIn, from } = trade;
  const { asset } = from.token;
  return spender === null || asset === "native"
    ? amountIn
    : readAllowanceOf(from.chain, asset, owner, spender);
}

/** How much of a token a contract may take. */
export function readAllowanceOf(
  chain: Chain,
  token: Address,
  owner: Address,
  spender: Address,
): Promise<bigint> {
  return callChain(chain, (client) =>
    client.readContract({
      ...{ address: token, abi: erc20Abi, functionName: "allowance", args: [owner, spender] },
    }),
  );
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
