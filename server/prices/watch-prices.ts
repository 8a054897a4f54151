import { watchChains } from "#server/chains/watch-chains.ts";
import { platform } from "#server/platform.ts";
import { refreshPrices } from "./queries.ts";

const PERIOD_MS = 10_000;

/** Reads the prices of every chain periodically, so that averages cover the whole time. */
export function watchPrices() {
  return watchChains({
    look: (chain) => refreshPrices(platform().database.db, chain),
    pauseMs: () => PERIOD_MS,
    failing: "Prices could not be read; it is tried again.",
  });
}
