import { createPolling } from "#server/base/polling.ts";
import { platform } from "#server/platform.ts";
import type { Chain } from "#server/providers/chain/chains.ts";

/** Polls every chain at its own pace until it is stopped. If a poll returns true, the next one follows at once. */
export function watchChains(options: {
  look(chain: Chain): Promise<unknown>;
  pauseMs(chain: Chain): number;
  /** The log message of a failed poll. */
  failing: string;
}) {
  const { look, pauseMs, failing } = options;
  const pollings = platform().chains.all.map((chain) =>
    createPolling({
      turn: async () => (await look(chain)) === true,
      pauseMs: pauseMs(chain),
      failing,
      logFields: { network: chain.network },
    }),
  );
  for (const polling of pollings) polling.start();

  return {
    /** Waits for the running polls. */
    async stop() {
      await Promise.all(pollings.map((polling) => polling.stop()));
    },
  };
}
