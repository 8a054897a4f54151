import { setTimeout as sleep } from "node:timers/promises";
import { log } from "#server/log.ts";
import { platform } from "#server/platform.ts";
import type { Chain } from "#server/providers/chain/chains.ts";

/**
 * Polls every chain at its own pace until it is stopped. If a poll returns true, the next one follows at once; a failed
 * one is repeated, and logged once.
 */
export function watchChains(options: {
  look(chain: Chain): Promise<unknown>;
  pauseMs(chain: Chain): number;
  /** The log message of a failed poll. */
  failing: string;
}) {
  const { look, pauseMs, failing } = options;
  const stopping = new AbortController();

  async function watch(chain: Chain): Promise<void> {
    let broken = false;
    while (!stopping.signal.aborted) {
      let more = false;
      try {
        more = (await look(chain)) === true;
        broken = false;
      } catch (error) {
        if (!broken) log.warn(failing, { network: chain.network, error });
        broken = true;
      }
      if (!more) await sleep(pauseMs(chain), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const watching = platform().chains.all.map(watch);

  return {
    /** Waits for the running polls. */
    async stop() {
      stopping.abort();
      await Promise.all(watching);
    },
  };
}
