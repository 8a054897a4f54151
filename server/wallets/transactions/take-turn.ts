import { currentMs } from "#server/base/clock.ts";
import { broadcastSigned } from "./broadcast.ts";
import type { OpenTransaction } from "./open-transactions.ts";
import type { SenderState } from "./sender-state.ts";
import { findMined, type Look, NOTHING, storeMined } from "./settle-mined.ts";
import { signReserved } from "./sign.ts";
import type { Patience, Turn } from "./turn.ts";
import { unstick } from "./unstick.ts";

const SOONEST_MS = 15;
const LATEST_MS = 2000;

/**
 * Signs, sends and searches the chain for the transactions of a sender. Returns after how many milliseconds the next turn
 * is due (null if all have ended), and whether the sender's lease was ended with that. After a crash, the next turn
 * continues from the stored state.
 */
export async function takeTurn(
  about: Omit<Turn, keyof SenderState | "accepted">,
  senderState: SenderState,
): Promise<{ dueInMs: number | null; released: boolean }> {
  const turn: Turn = { ...about, ...senderState, accepted: new Map() };
  const look = await send(turn).catch(async (reason) => {
    await storeMined(turn, NOTHING);
    throw reason;
  });
  const next = (left: readonly OpenTransaction[]) => nextLook(left, turn.patience);
  const released = await storeMined(turn, look, next);
  return { dueInMs: next(turn.open), released };
}

async function send(turn: Turn): Promise<Look> {
  await signReserved(turn);
  await broadcastSigned(turn);
  if (await unstick(turn)) await broadcastSigned(turn);
  return findMined(turn);
}

/** Returns the pause before the next turn: the longer a transaction takes, the less often it is searched for. */
function nextLook(open: readonly OpenTransaction[], { stuckAfterMs }: Patience): number | null {
  if (open.length === 0) return null;
  const since = Math.max(...open.map(({ row }) => (row.signedAt ?? row.createdAt).getTime()));
  return Math.min(Math.max((currentMs() - since) / 4, SOONEST_MS), LATEST_MS, stuckAfterMs);
}
