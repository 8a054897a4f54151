import type { Hex } from "viem";
import { platform } from "#server/platform.ts";
import { isDeep, readReceipt } from "./chain-state.ts";
import { type RouteChange, type RouteRow, UNSEEN } from "./queries.ts";

/** A transaction that a route has reported, and the block that contained it. */
interface Told {
  network: string;
  hash: Hex;
  blockHash: string | null;
  /** What is left of the route where it stands there no more. */
  without: RouteChange;
}

/**
 * What a route that has ended loses because the chain has taken it back; null where all stands, `final` where no
 * reorganisation can change that any more.
 */
export async function lossOf(route: RouteRow): Promise<RouteChange | "final" | null> {
  const states = await Promise.all(toldOf(route).map(stateOf));
  const lost = states.find((state) => typeof state !== "string");
  return lost ?? (states.every((state) => state === "final") ? "final" : null);
}

function toldOf(route: RouteRow): Told[] {
  const { from, to, swapId, status, sourceTransactionHash, destinationTransactionHash } = route;
  // What a managed wallet sends is followed by who sends it.
  const source: Told[] =
    sourceTransactionHash && !swapId
      ? [
          {
            network: from.network,
            hash: sourceTransactionHash,
            blockHash: route.sourceBlockHash,
            without: UNSEEN,
          },
        ]
      : [];
  if (!destinationTransactionHash || from.network === to.network) return source;
  const network = status === "refunded" ? from.network : to.network;
  const nothing = { destinationTransactionHash: null, destinationBlockHash: null, received: null };
  return [
    ...source,
    {
      network,
      hash: destinationTransactionHash,
      blockHash: route.destinationBlockHash,
      without: { ...nothing, status: "filling", endedAt: null },
    },
  ];
}

async function stateOf({ network, hash, blockHash, without }: Told) {
  const chain = platform().chains.find(network);
  // A chain that was taken out of the settings says nothing any more.
  if (!chain) return "final";
  const receipt = await readReceipt(chain, hash);
  if (receipt?.blockHash !== blockHash) return without;
  return (await isDeep(chain, receipt.blockNumber, chain.finality)) ? "final" : "stands";
}
