import type { Chain } from "#server/providers/chain/chains.ts";
import { openUniswap } from "./uniswap.ts";
import type { Venue } from "./venue.ts";

/** Returns the chain's venue; null if its settings name none. */
export function venueOf(chain: Chain): Venue | null {
  return chain.contracts.venue && openUniswap(chain, chain.contracts.venue);
}
