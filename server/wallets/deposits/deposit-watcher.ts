import { setTimeout as sleep } from "node:timers/promises";
import { openPool } from "#db/client.ts";
import { CONNECTIONS } from "#db/connections.ts";
import { log } from "#server/log.ts";
import { platform } from "#server/platform.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { followChain, type Memory } from "./follow-chain.ts";

const SANDBOX_MS = 500;
const NETWORK_MS = 2000;

/** Watches every chain for what comes in to wallets, until it is stopped. Any number of processes may. */
export function startDepositWatcher(url: string) {
  const { db, close } = openPool(url, CONNECTIONS.deposits);
  const stopping = new AbortController();

  async function watch(chain: Chain): Promise<void> {
    const memory: Memory = { behindSince: null, settled: null };
    const pause = chain.sandbox ? SANDBOX_MS : NETWORK_MS;
    let broken = false;
    while (!stopping.signal.aborted) {
      let more = false;
      try {
        more = await followChain(db, chain, memory);
        broken = false;
      } catch (error) {
        if (!broken)
          log.warn("A chain can't be watched for deposits; it is tried again.", {
            network: chain.network,
            error,
          });
        broken = true;
      }
      if (!more) await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const watching = platform().chains.all.map(watch);

  return {
    /** Ends the look that is under way. */
    async stop() {
      stopping.abort();
      await Promise.all(watching);
      await close();
    },
  };
}
