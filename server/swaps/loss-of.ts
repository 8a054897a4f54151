import type { Hex } from "viem";
import { platform } from "#server/platform.ts";
import { isDeep, readReceipt } from "./chain-state.ts";
import { type RouteChange, type RouteRow, UNSEEN } from "./queries.ts";

/** A transaction that a route has reported, and the block that contained it. */
interface ReportedTransaction {
  network: string;
  hash: Hex;
  blockHash: string | null;
  /** The change of the route if that block no longer contains it. */
  without: RouteChange;
}

/**
 * Returns the change of an ended route whose block the chain has removed; null if nothing was removed, `final` if no
 * reorganisation can remove anything any more.
 */
export async function lossOf(route: RouteRow): Promise<RouteChange | "final" | null> {
  const states = await Promise.all(reportedBy(route).map(stateOf));
  const lost = states.find((state) => typeof state !== "string");
  return lost ?? (states.every((state) => state === "final") ? "final" : null);
}

function reportedBy(route: RouteRow): ReportedTransaction[] {
  const { from, to, swapId, status, sourceTransactionHash, destinationTransactionHash } = route;
  // A managed wallet's transaction is followed by its sender.
  const source: ReportedTransaction[] =
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

async function stateOf({ network, hash, blockHash, without }: ReportedTransaction) {
  const chain = platform().chains.find(network);
  // A chain that is no longer configured cannot be read.
  if (!chain) return "final";
  const receipt = await readReceipt(chain, hash);
  if (receipt?.blockHash !== blockHash) return without;
  return (await isDeep(chain, receipt.blockNumber, chain.finality)) ? "final" : "unchanged";
}
