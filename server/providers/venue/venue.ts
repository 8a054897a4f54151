import type { Address, Hex, TransactionReceipt } from "viem";
import type { Hop } from "./routes.ts";

export type Asset = "native" | Address;

/** A quoted trade: its amounts in the assets' smallest units, and its pools. */
export interface VenueQuote {
  kind: "exactIn" | "exactOut";
  from: Asset;
  to: Asset;
  amountIn: bigint;
  amountOut: bigint;
  hops: readonly Hop[];
  /** The pools' share of `amountIn`. */
  fee: bigint;
  /** A gas limit that suffices for the trade's transaction. */
  gas: bigint;
}

/** A transaction to be sent. */
export interface VenueCall {
  to: Address;
  value: bigint;
  data: Hex;
  gas: bigint;
}

export interface SwapOrder {
  quote: VenueQuote;
  /** The recipient of the output, and of the rest of a native payment. */
  recipient: Address;
  /** The minimum output for an exact input, the maximum input for an exact output. */
  limit: bigint;
  /** Unix seconds of the chain's clock after which the trade fails. */
  deadline: bigint;
}

/** The amounts that a trade actually moved. */
export interface Fill {
  amountIn: bigint;
  amountOut: bigint;
}

/** The value of one whole unit of an asset in the chain's USD token, as decimal strings. */
export interface VenuePrice {
  spotUsd: string;
  /** The average of the last 30 minutes; null if the venue's observations do not go back that far. */
  averageUsd: string | null;
  /** True if the pools with lasting liquidity agree on it; nothing is valued by an unreliable price. */
  reliable: boolean;
}

export type VenuePrices = ReadonlyMap<Asset, VenuePrice>;

/** A venue at which assets of one chain are exchanged. */
export interface Venue {
  /** The contract that takes the input: a token needs an allowance for it. */
  spender: Address;
  /** Returns the best trade for exactly this input; null if no route exists. */
  quoteExactIn(ask: { from: Asset; to: Asset; amountIn: bigint }): Promise<VenueQuote | null>;
  /** Returns the best trade for exactly this output; null if no route exists. */
  quoteExactOut(ask: { from: Asset; to: Asset; amountOut: bigint }): Promise<VenueQuote | null>;
  /** Returns the trade's transaction: the native asset is wrapped and unwrapped on the way. */
  buildSwap(order: SwapOrder): VenueCall;
  /** Returns the amounts that a mined trade moved for this trader. */
  readFill(
    receipt: Pick<TransactionReceipt, "logs">,
    trade: { trader: Address; from: Asset; to: Asset },
  ): Fill;
  /** Reads the prices of the chain's listed assets, by the pools with the most weight over the last half hour. */
  readPrices(): Promise<VenuePrices>;
}
