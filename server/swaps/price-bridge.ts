import { parseUnits } from "viem";
import type { Db } from "#db/client.ts";
import { pricesOf, refreshPrices } from "#server/prices/queries.ts";
import type { Chain, Token } from "#server/providers/chain/chains.ts";
import { venueOf } from "#server/providers/venue/venue-of.ts";

/** The relayer's fee: a share of the input in hundredths of a percent, at least this many USD. */
const FEE_BPS = 10n;
const USD_DIGITS = 18;
const LEAST_FEE = parseUnits("0.02", USD_DIGITS);

/** An asset of a chain. */
export interface Side {
  chain: Chain;
  token: Token;
}

/** The output on the other chain in smallest units, and the relayer's fee in USD. */
export interface BridgePrice {
  amountOut: bigint;
  feeUsd: bigint;
}

/**
 * Prices an input of one chain in an asset of another. Uses the worse of pool quotes and averages on either side, so
 * that nobody gains by pushing a pool's price first. Null if either asset has no price, or nothing is left.
 */
export async function priceBridge(
  db: Db,
  ask: { from: Side; to: Side; amountIn: bigint },
): Promise<BridgePrice | null> {
  const { from, to, amountIn } = ask;
  await Promise.all([refreshPrices(db, from.chain), refreshPrices(db, to.chain)]);
  const [given, wanted] = await Promise.all([rateOf(db, from), rateOf(db, to)]);
  if (!given || !wanted) return null;
  const byRate = (amountIn * given.low) / 10n ** BigInt(from.token.decimals);
  const value = least(byRate, await soldFor(from, amountIn));
  const fee = (value * FEE_BPS) / 10_000n;
  const feeUsd = fee > LEAST_FEE ? fee : LEAST_FEE;
  if (value <= feeUsd) return null;
  const net = value - feeUsd;
  const amountOut = least((net * 10n ** BigInt(to.token.decimals)) / wanted.high, await boughtFor(to, net));
  return amountOut > 0n ? { amountOut, feeUsd } : null;
}

/** The decimals of USD amounts. */
export const USD_DECIMALS = USD_DIGITS;

const least = (one: bigint, other: bigint | null) => (other !== null && other < one ? other : one);

/** Returns the lowest and highest value of a whole unit in USD, by spot and average. */
async function rateOf(db: Db, { chain, token }: Side) {
  const price = (await pricesOf(db, chain.network, [token.asset])).get(token.asset);
  if (!price) return null;
  const [spot, average] = [price.spotUsd, price.averageUsd].map((text) => parseUnits(text, USD_DIGITS));
  if (!spot || !average) return null;
  const low = least(spot, average);
  return { low, high: spot + average - low };
}

/** Returns the price of the amount by the pools, in USD; null if the asset is USD itself. */
async function soldFor({ chain, token }: Side, amountIn: bigint): Promise<bigint | null> {
  const { usd } = chain.contracts;
  if (token.asset === usd) return null;
  const quote = await venueOf(chain)?.quoteExactIn({ from: token.asset, to: usd, amountIn });
  return quote ? quote.amountOut * usdStep(chain) : 0n;
}

/** Returns the amount that the pools give for this many USD; null if the asset is USD itself. */
async function boughtFor({ chain, token }: Side, value: bigint): Promise<bigint | null> {
  const { usd } = chain.contracts;
  if (token.asset === usd) return null;
  const quote = await venueOf(chain)?.quoteExactIn({
    from: usd,
    to: token.asset,
    amountIn: value / usdStep(chain),
  });
  return quote?.amountOut ?? 0n;
}

/** Returns how many of our USD units one smallest unit of the chain's USD token is. */
function usdStep({ contracts, tokens }: Chain): bigint {
  const decimals = tokens.find(({ asset }) => asset === contracts.usd)?.decimals ?? 6;
  return 10n ** BigInt(USD_DIGITS - decimals);
}
