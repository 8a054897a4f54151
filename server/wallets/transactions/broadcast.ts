import { log } from "#server/log.ts";
import { type Attempt, inFlight, newest, type OpenTransaction } from "./open-transactions.ts";
import { type Sent, sendRaw } from "./send-raw.ts";
import { replaceRows, type Turn } from "./turn.ts";

/** Hands to the chain what is signed and what it may have forgotten: always the bytes that were kept. */
export async function broadcastSigned(turn: Turn): Promise<void> {
  const due = inFlight(turn.open, turn.mined).filter((one) => isDue(one, turn.patience.resendAfterMs));
  if (due.length === 0) return;
  const answers = await Promise.allSettled(due.map((one) => sendRaw(turn.chain, newest(one).raw)));
  const at = new Date();
  const taken = due.filter((one, nth) => told(turn, answers[nth], one)?.type === "accepted");
  await storeAccepted(turn, taken, at);
  const lost = answers.find((answer) => answer.status === "rejected");
  if (lost) throw lost.reason;
}

function isDue(one: OpenTransaction, resendAfterMs: number): boolean {
  const { acceptedAt } = newest(one);
  return acceptedAt === null || Date.now() - acceptedAt.getTime() > resendAfterMs;
}

/** What the node answered; that it does not take the bytes is noted, since it may take them later. */
function told(
  { pace }: Turn,
  answer: PromiseSettledResult<Sent> | undefined,
  { row }: OpenTransaction,
): Sent | null {
  if (answer?.status !== "fulfilled") return null;
  const sent = answer.value;
  if (sent.type === "refused" && pace(`${row.id} ${sent.message}`))
    log.warn("A chain does not take a transaction; it is tried again.", {
      ...{ transactionId: row.id, network: row.network, reason: sent.message },
    });
  return sent;
}

/** The chain has them; what it has for the first time is `broadcast`, and paid for. */
export async function storeAccepted(
  turn: Turn,
  taken: readonly OpenTransaction[],
  at = new Date(),
): Promise<void> {
  if (taken.length === 0) return;
  const fresh = taken.filter(({ row }) => row.status === "signed").map(({ row }) => row);
  const rows = await turn.keeper.note({
    lane: turn.lane,
    moves: fresh.map((row) => ({
      row,
      change: {
        ...{ status: "broadcast", chargedCredits: row.heldCredits },
        broadcastAt: row.broadcastAt ?? at,
      },
    })),
    accepted: taken.map((one) => ({ row: one.row, attempt: newest(one) })),
    charged: fresh,
  });
  const accepted = new Set(taken.map(({ row }) => row.id));
  turn.open = turn.open.map((one) =>
    accepted.has(one.row.id)
      ? { row: one.row, tries: [...one.tries.slice(0, -1), acceptedNow(newest(one))] }
      : one,
  );
  replaceRows(turn, rows);
}

function acceptedNow(attempt: Attempt): Attempt {
  const now = new Date();
  return { ...attempt, acceptedAt: now, signedAt: attempt.acceptedAt ? attempt.signedAt : now };
}
