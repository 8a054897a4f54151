import { broadcastSigned } from "./broadcast.ts";
import { feesOf } from "./fees.ts";
import type { OpenTransaction } from "./open-transactions.ts";
import { settleMined } from "./settle-mined.ts";
import { signReserved } from "./sign.ts";
import type { Patience, Turn } from "./turn.ts";
import { unstick } from "./unstick.ts";

const SOONEST_MS = 15;
const LATEST_MS = 2000;

/**
 * Does what there is to do in a lane: sign, send, look for it on the chain. Answers after how many milliseconds to
 * look again; null where all has ended. Broken off anywhere, the next turn goes on from what was stored.
 */
export async function workLane(about: Omit<Turn, "mined" | "open" | "balance">): Promise<number | null> {
  const { chain, keeper, lane, patience } = about;
  const [open, mined, balance] = await Promise.all([
    keeper.readOpen(lane),
    chain.client.getTransactionCount({ address: lane.address }),
    lane.waits ? chain.client.getBalance({ address: lane.address }) : null,
    lane.waits ? feesOf(chain) : null,
  ]);
  const turn: Turn = { ...about, mined, open, balance };
  await signReserved(turn);
  await broadcastSigned(turn);
  if (await unstick(turn)) await broadcastSigned(turn);
  await settleMined(turn);
  return nextLook(turn.open, patience);
}

/** The longer something takes, the less often it is looked for. */
function nextLook(open: readonly OpenTransaction[], { stuckAfterMs }: Patience): number | null {
  if (open.length === 0) return null;
  const since = Math.max(...open.map(({ row }) => (row.signedAt ?? row.createdAt).getTime()));
  return Math.min(Math.max((Date.now() - since) / 4, SOONEST_MS), LATEST_MS, stuckAfterMs);
}
