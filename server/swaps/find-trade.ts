import { type Address, encodeFunctionData, formatUnits, type Hex } from "viem";
import type { Db } from "#db/client.ts";
import { fromUnits, toUnits } from "#server/chains/amounts.ts";
import { callChain, chainNamed } from "#server/chains/call-chain.ts";
import { ApiError, invalid } from "#server/operation/errors.ts";
import { pricesOf } from "#server/prices/queries.ts";
import { type BridgeCall, bridgeOf } from "#server/providers/bridge/bridge.ts";
import { erc20Abi, wrappedNativeAbi } from "#server/providers/chain/abi.ts";
import type { Asset } from "#server/providers/venue/venue.ts";
import { venueOf } from "#server/providers/venue/venue-of.ts";
import { priceBridge, type Side, USD_DECIMALS } from "./price-bridge.ts";

/** The assets and amount that a caller wants to exchange. */
export interface TradeRequest {
  from: { network: string; asset: Asset; amount: string };
  to: { network: string; asset: Asset };
}

/** A fee of the trade, in whole units of an asset of the source chain. */
export interface TradeFee {
  type: "pool" | "bridge";
  asset: Asset;
  amount: string;
  valueUsd: string | null;
}

/** The recipient, minimum and deadline of a swap's last step. */
export interface Ends {
  recipient: Address;
  minimum: bigint;
  /** Unix seconds of the source chain's clock after which it reverts. */
  deadline: bigint;
}

/** A swap at current prices. */
export interface Trade {
  type: "swap" | "bridge";
  from: Side;
  to: Side;
  amountIn: bigint;
  expected: bigint;
  fees: TradeFee[];
  /** The contract that needs an allowance; null if none does. */
  spender: Address | null;
  /** True if the output can go to the sender only. */
  toSenderOnly: boolean;
  build(ends: Ends): BridgeCall;
}

const WRAP_GAS = 80_000n;
/** The time after the deposit deadline in which the relayer may still fill. */
const FILL_SECONDS = 600n;

/** Finds the best current trade for a request. Refuses an impossible one, naming the field. */
export async function findTrade(db: Db, request: TradeRequest): Promise<Trade> {
  const from = sideOf(request.from, "body.from");
  const to = sideOf(request.to, "body.to");
  const amountIn = toUnits(request.from.amount, from.token.decimals, "body.from.amount");
  if (from.chain !== to.chain) return findBridge(db, from, to, amountIn);
  if (from.token === to.token)
    throw invalid("body.to.asset", "The same asset is given and wanted. Name another one.");
  return findWrap(from, to, amountIn) ?? findVenue(db, from, to, amountIn);
}

function sideOf({ network, asset }: TradeRequest["to"], path: string): Side {
  const chain = chainNamed(network, `${path}.network`);
  const token = chain.tokens.find((listed) => listed.asset === asset);
  if (token) return { chain, token };
  throw invalid(
    `${path}.asset`,
    `${asset} can't be swapped on ${network}. GET /v1/swaps/tokens lists the tokens that can.`,
  );
}

/** Returns the trade that wraps or unwraps the native asset, one for one; null for other assets. */
function findWrap(from: Side, to: Side, amountIn: bigint): Trade | null {
  const { wrappedNative } = from.chain.contracts;
  const wraps = from.token.asset === "native" && to.token.asset === wrappedNative;
  if (!wraps && !(from.token.asset === wrappedNative && to.token.asset === "native")) return null;
  const data: Hex = wraps
    ? encodeFunctionData({ abi: wrappedNativeAbi, functionName: "deposit" })
    : encodeFunctionData({ abi: wrappedNativeAbi, functionName: "withdraw", args: [amountIn] });
  return {
    type: "swap",
    from,
    to,
    amountIn,
    expected: amountIn,
    fees: [],
    spender: null,
    toSenderOnly: true,
    build: () => ({ to: wrappedNative, value: wraps ? amountIn : 0n, data, gas: WRAP_GAS }),
  };
}

async function findVenue(db: Db, from: Side, to: Side, amountIn: bigint): Promise<Trade> {
  const { chain } = from;
  const venue = venueOf(chain);
  if (!venue)
    throw new ApiError(
      "service_unavailable",
      `Nothing is exchanged on ${chain.network}: its operator names no venue in CHAINS.`,
    );
  const ask = { from: from.token.asset, to: to.token.asset, amountIn };
  const quote = await callChain(chain, () => venue.quoteExactIn(ask));
  if (!quote)
    throw invalid(
      "body.to.asset",
      `No pools lead from ${from.token.symbol} to ${to.token.symbol} for this amount. Send another amount or asset.`,
    );
  const amount = fromUnits(quote.fee, from.token.decimals);
  return {
    type: "swap",
    from,
    to,
    amountIn,
    expected: quote.amountOut,
    fees: [{ type: "pool", asset: from.token.asset, amount, valueUsd: await worthOf(db, from, quote.fee) }],
    spender: from.token.asset === "native" ? null : venue.spender,
    toSenderOnly: false,
    build: ({ recipient, minimum, deadline }) =>
      venue.buildSwap({ quote, recipient, limit: minimum, deadline }),
  };
}

async function findBridge(db: Db, from: Side, to: Side, amountIn: bigint): Promise<Trade> {
  const [bridge, far] = [bridgeOf(from.chain), bridgeOf(to.chain)];
  if (!bridge || !far)
    throw new ApiError(
      "service_unavailable",
      `No bridge leads from ${from.chain.network} to ${to.chain.network}: their operator names none in CHAINS.`,
    );
  const price = await callChain(from.chain, () =>
    callChain(to.chain, () => priceBridge(db, { from, to, amountIn })),
  );
  if (!price)
    throw invalid(
      "body.from.amount",
      `Nothing would be left of it on ${to.chain.network}, or an asset has no price. Send a larger amount.`,
    );
  const { amountOut, feeUsd } = price;
  const stock = await callChain(to.chain, async () => stockOf(to, await far.readRelayer()));
  if (amountOut > stock)
    throw invalid(
      "body.from.amount",
      `The relayer has ${fromUnits(stock, to.token.decimals)} ${to.token.symbol} on ${to.chain.network}. Send a smaller amount.`,
    );
  const { usd } = from.chain.contracts;
  const usdDecimals = from.chain.tokens.find(({ asset }) => asset === usd)?.decimals ?? 6;
  const shownFee = formatUnits(feeUsd / 10n ** BigInt(USD_DECIMALS - usdDecimals), usdDecimals);
  return {
    type: "bridge",
    from,
    to,
    amountIn,
    expected: amountOut,
    fees: [{ type: "bridge", asset: usd, amount: shownFee, valueUsd: shownFee }],
    spender: from.token.asset === "native" ? null : bridge.address,
    toSenderOnly: false,
    build: ({ recipient, minimum, deadline }) =>
      bridge.buildDeposit({
        from: from.token.asset,
        amount: amountIn,
        to: to.token.asset,
        minimum,
        recipient,
        destinationChainId: to.chain.chainId,
        depositDeadline: deadline,
        fillDeadline: deadline + FILL_SECONDS,
      }),
  };
}

/** Returns an address's balance of an asset. */
export function stockOf({ chain: { client }, token }: Side, address: Address): Promise<bigint> {
  if (token.asset === "native") return client.getBalance({ address });
  return client.readContract({
    address: token.asset,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [address],
  });
}

async function worthOf(db: Db, { chain, token }: Side, amount: bigint): Promise<string | null> {
  const price = (await pricesOf(db, chain.network, [token.asset])).get(token.asset);
  if (!price) return null;
  const [whole, fraction = ""] = price.spotUsd.split(".");
  return formatUnits(amount * BigInt(`${whole}${fraction}`), token.decimals + fraction.length);
}
