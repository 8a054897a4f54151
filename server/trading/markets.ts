import { ApiError, invalid } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import type { Chain, Token } from "#server/providers/chain/chains.ts";
import type { Venue } from "#server/providers/venue/venue.ts";
import { venueOf } from "#server/providers/venue/venue-of.ts";

/** A market: a token of a chain against its USD token. */
export interface Market {
  symbol: string;
  chain: Chain;
  venue: Venue;
  base: Token;
  counter: Token;
}

/** Returns every market of this installation. If two chains list a symbol, the first one's market counts. */
export function readMarkets(): readonly Market[] {
  return platform().chains.all.flatMap((chain) => {
    const venue = venueOf(chain);
    const counter = chain.tokens.find(({ asset }) => asset === chain.contracts.usd);
    if (!venue || !counter) return [];
    return chain.tokens
      .filter((base) => base !== counter)
      .map((base) => ({ symbol: `${base.symbol}-USD`, chain, venue, base, counter }));
  });
}

/** Returns the market with this symbol, which the caller sent at `at`. */
export function marketOf(symbol: string, at = "body.symbol"): Market {
  const markets = readMarkets();
  if (markets.length === 0)
    throw new ApiError(
      "service_unavailable",
      "This installation has no chain with a venue, so that nothing can be traded. Its operator sets CHAINS.",
    );
  const market = markets.find((one) => one.symbol === symbol);
  if (market) return market;
  const known = [...new Set(markets.map((one) => one.symbol))].join(", ");
  throw invalid(at, `Nothing trades under ${JSON.stringify(symbol)}. Send one of ${known}.`);
}

/** Returns the market of an order; null if its chain or token is no longer configured. */
export function marketFor({ network, base }: { network: string; base: string }): Market | null {
  return (
    readMarkets().find((market) => market.chain.network === network && market.base.asset === base) ?? null
  );
}
