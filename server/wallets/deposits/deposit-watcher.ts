import { openPool } from "#db/client.ts";
import { CONNECTIONS } from "#db/connections.ts";
import { watchChains } from "#server/chains/watch-chains.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { followChain, type Memory } from "./follow-chain.ts";

const SANDBOX_MS = 500;
const NETWORK_MS = 2000;

/** Watches every chain for deposits to wallets until it is stopped. Any number of processes may run it. */
export function startDepositWatcher(url: string, directUrl = url) {
  const { db, close } = openPool(url, CONNECTIONS.deposits, { pooled: directUrl !== url });
  const memories = new Map<Chain, Memory>();

  function memoryOf(chain: Chain): Memory {
    const memory = memories.get(chain) ?? { behindSince: null, settled: null };
    memories.set(chain, memory);
    return memory;
  }

  const watching = watchChains({
    look: (chain) => followChain(db, chain, memoryOf(chain)),
    pauseMs: ({ sandbox }) => (sandbox ? SANDBOX_MS : NETWORK_MS),
    failing: "A chain can't be watched for deposits; it is tried again.",
  });

  return {
    /** Waits for the running poll. */
    async stop() {
      await watching.stop();
      await close();
    },
  };
}
