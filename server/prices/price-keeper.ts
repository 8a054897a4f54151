import { setTimeout as sleep } from "node:timers/promises";
import { log } from "#server/log.ts";
import { platform } from "#server/platform.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { refreshPrices } from "./queries.ts";

const PERIOD_MS = 10_000;

/** Reads the prices of every chain again and again, so that averages are made of what was there all along. */
export function startPriceKeeper() {
  const { chains, database } = platform();
  const stopped = new AbortController();
  const keeping = Promise.all(chains.all.map((chain) => keep(chain)));

  async function keep(chain: Chain): Promise<void> {
    let failing = false;
    while (!stopped.signal.aborted) {
      try {
        await refreshPrices(database.db, chain);
        failing = false;
      } catch (error) {
        if (!failing)
          log.warn("Prices could not be read; it is tried again.", { network: chain.network, error });
        failing = true;
      }
      await sleep(PERIOD_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  }

  return {
    async stop() {
      stopped.abort();
      await keeping;
    },
  };
}
