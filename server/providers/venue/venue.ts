import type { Address, Hex, TransactionReceipt } from "viem";
import type { Chain } from "#server/providers/chain/chains.ts";
import type { Hop } from "./routes.ts";
import { openUniswap } from "./uniswap.ts";

export type Asset = "native" | Address;

/** What a trade would move, and over which pools. Amounts are in the assets' smallest units. */
export interface VenueQuote {
  kind: "exactIn" | "exactOut";
  from: Asset;
  to: Asset;
  amountIn: bigint;
  amountOut: bigint;
  hops: readonly Hop[];
  /** What the pools keep of `amountIn`. */
  fee: bigint;
  /** A limit that the trade's transaction stays below. */
  gas: bigint;
}

/** A transaction as it is to be sent. */
export interface VenueCall {
  to: Address;
  value: bigint;
  data: Hex;
  gas: bigint;
}

export interface SwapOrder {
  quote: VenueQuote;
  /** Who gets what is bought, and what is left of a native payment. */
  recipient: Address;
  /** The least to receive for an exact input, the most to pay for an exact output. */
  limit: bigint;
  /** Unix seconds of the chain's clock after which the trade fails. */
  deadline: bigint;
}

/** What a trade has really moved. */
export interface Fill {
  amountIn: bigint;
  amountOut: bigint;
}

/** What one whole unit of an asset is worth in the chain's USD token: decimal strings. */
export interface VenuePrice {
  spotUsd: string;
  /** The average of the last 30 minutes; null where the venue does not remember that long. */
  averageUsd: string | null;
  /** Whether what was there all along agrees on it; nothing is valued by a price of which that is not so. */
  reliable: boolean;
}

export type VenuePrices = ReadonlyMap<Asset, VenuePrice>;

/** Where assets of one chain are exchanged. */
export interface Venue {
  /** The contract that takes what is sold: a token has to be approved for it. */
  spender: Address;
  /** The best trade that pays exactly this; null where no route can. */
  quoteExactIn(ask: { from: Asset; to: Asset; amountIn: bigint }): Promise<VenueQuote | null>;
  /** The best trade that yields exactly this; null where no route can. */
  quoteExactOut(ask: { from: Asset; to: Asset; amountOut: bigint }): Promise<VenueQuote | null>;
  /** The transaction that trades: the native asset is wrapped and unwrapped on the way. */
  buildSwap(order: SwapOrder): VenueCall;
  /** The amounts that a mined trade has moved for this trader. */
  readFill(
    receipt: Pick<TransactionReceipt, "logs">,
    trade: { trader: Address; from: Asset; to: Asset },
  ): Fill;
  /** The prices of the assets that the chain lists, by the pools that weighed most over the last half hour. */
  readPrices(): Promise<VenuePrices>;
}

/** The chain's venue; null where its settings name none. */
export function venueOf(chain: Chain): Venue | null {
  return chain.contracts.venue && openUniswap(chain, chain.contracts.venue);
}
