import type { Address } from "viem";
import type { Chain, Chains } from "#server/providers/chain/chains.ts";
import { feesOf } from "./fees.ts";
import type { Claim } from "./lanes.ts";

/** How an address stands on a chain. */
export interface Standing {
  /** How many transactions of it the chain has in blocks: the nonces below are used up. */
  mined: number;
  /** What it has, in wei; null where it was not asked for. */
  balance: bigint | null;
}

/** Asks a chain how an address stands, and where it is to send, what fees are. */
async function readStanding(chain: Chain, address: Address, sends: boolean): Promise<Standing> {
  const { client } = chain;
  const [mined, balance] = await Promise.all([
    client.getTransactionCount({ address }),
    sends ? client.getBalance({ address }) : null,
    sends ? feesOf(chain) : null,
  ]);
  return { mined, balance };
}

/** What is told of something that is about to be sent. */
export const standingAt = (network: string, address: string) => `${network} ${address}`;

const FORGOTTEN_MS = 1000;

/** Asks how addresses stand; of those that are about to send, while that is still being committed. */
export function createStandings(chains: Chains) {
  const ahead = new Map<string, Promise<Standing | null>>();
  return {
    /** Begins to ask, of what is expected. */
    foresee(about: string): void {
      const [network = "", address] = about.split(" ");
      const chain = chains.find(network);
      if (!chain || ahead.has(about)) return;
      const asked = readStanding(chain, address as Address, true).catch(() => null);
      ahead.set(about, asked);
      setTimeout(() => ahead.delete(about), FORGOTTEN_MS).unref();
    },

    async of(chain: Chain, { lane, open }: Claim): Promise<Standing> {
      const about = standingAt(lane.network, lane.address);
      const asked = ahead.get(about);
      ahead.delete(about);
      const sends = open.some(({ row }) => row.status === "reserved");
      const early = sends ? await asked : null;
      // Asked before the claim, it holds where all that was ever signed was in blocks by then.
      return early && early.mined >= lane.next ? early : readStanding(chain, lane.address, sends);
    },
  };
}
