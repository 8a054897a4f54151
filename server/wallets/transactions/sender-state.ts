import type { Address } from "viem";
import type { Chain, Chains } from "#server/providers/chain/chains.ts";
import { feesOf } from "./fees.ts";
import type { Claim } from "./leased-senders.ts";

/** The nonce and balance of an address on a chain. */
export interface SenderState {
  /** The number of its mined transactions: lower nonces are used. */
  mined: number;
  /** In wei; null if it was not read. */
  balance: bigint | null;
}

/** Reads nonce and balance from the chain; also refreshes the fees if the address will send. */
async function readSenderState(chain: Chain, address: Address, sends: boolean): Promise<SenderState> {
  const { client } = chain;
  const [mined, balance] = await Promise.all([
    client.getTransactionCount({ address }),
    sends ? client.getBalance({ address }) : null,
    sends ? feesOf(chain) : null,
  ]);
  return { mined, balance };
}

/** Returns the name under which a sender is prefetched. */
export const senderKey = (network: string, address: string) => `${network} ${address}`;

const PREFETCH_MS = 1000;

/** Reads senders' states; for a sender that will send, while its transaction is still being committed. */
export function createSenderStates(chains: Chains) {
  const ahead = new Map<string, Promise<SenderState | null>>();
  return {
    /** Begins to read the state of a sender whose transaction is about to be committed. */
    prefetch(sender: string): void {
      const [network = "", address] = sender.split(" ");
      const chain = chains.find(network);
      if (!chain || ahead.has(sender)) return;
      const asked = readSenderState(chain, address as Address, true).catch(() => null);
      ahead.set(sender, asked);
      setTimeout(() => ahead.delete(sender), PREFETCH_MS).unref();
    },

    /** Returns the sender's nonce and balance; reuses a prefetch begun before the commit. */
    async of(chain: Chain, { sender, open }: Claim): Promise<SenderState> {
      const key = senderKey(sender.network, sender.address);
      const asked = ahead.get(key);
      ahead.delete(key);
      const sends = open.some(({ row }) => row.status === "reserved");
      const early = sends ? await asked : null;
      // A prefetch from before the claim is right if all signed transactions were mined by then.
      return early && early.mined >= sender.next ? early : readSenderState(chain, sender.address, sends);
    },
  };
}
