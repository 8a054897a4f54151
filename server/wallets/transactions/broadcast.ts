import { currentMs, currentTime } from "#server/base/clock.ts";
import { log } from "#server/base/log.ts";
import { span } from "#server/base/telemetry.ts";
import { inFlight, newest, type OpenTransaction } from "./open-transactions.ts";
import { type SendResult, sendRaw } from "./send-raw.ts";
import type { Turn } from "./turn.ts";

/** A node may answer with the whole transaction. */
const MAX_OF_REASON = 300;

/** Sends signed transactions, and again those that the chain may have forgotten; always the stored bytes. */
export async function broadcastSigned(turn: Turn): Promise<void> {
  const due = inFlight(turn.open, turn.mined).filter((one) => isDue(one, turn.patience.resendAfterMs));
  if (due.length === 0) return;
  const answers = await Promise.allSettled(
    due.map((one) =>
      span(
        "broadcast",
        () => ({
          attributes: { "platform.transaction.id": one.row.id, "platform.network": one.row.network },
        }),
        () => sendRaw(turn.chain, newest(one).raw),
      ),
    ),
  );
  const accepted = due.filter((one, nth) => sentOf(turn, answers[nth], one)?.type === "accepted");
  for (const one of accepted) markAccepted(turn, one);
  const lost = answers.find((answer) => answer.status === "rejected");
  if (lost) throw lost.reason;
}

function isDue(one: OpenTransaction, resendAfterMs: number): boolean {
  const { acceptedAt } = newest(one);
  return acceptedAt === null || currentMs() - acceptedAt.getTime() > resendAfterMs;
}

/** Returns the node's answer; logs a refusal, since the node may accept the bytes later. */
function sentOf(
  { pace }: Turn,
  answer: PromiseSettledResult<SendResult> | undefined,
  { row }: OpenTransaction,
): SendResult | null {
  if (answer?.status !== "fulfilled") return null;
  const sent = answer.value;
  if (sent.type === "refused" && pace(`${row.id} ${sent.message}`))
    log.warn("A chain does not accept a transaction; it is tried again.", {
      transactionId: row.id,
      network: row.network,
      reason: sent.message.slice(0, MAX_OF_REASON),
    });
  return sent;
}

/** Marks an accepted transaction as `broadcast`, which charges it; stored with the next report of the chain. */
export function markAccepted(turn: Turn, one: OpenTransaction): void {
  const at = currentTime();
  const { row } = one;
  const attempt = newest(one);
  const change = {
    status: "broadcast",
    chargedCredits: row.heldCredits,
    broadcastAt: row.broadcastAt ?? at,
  } as const;
  const marked: OpenTransaction = {
    row: row.status === "signed" ? { ...row, ...change } : row,
    tries: [
      ...one.tries.slice(0, -1),
      { ...attempt, acceptedAt: at, signedAt: attempt.acceptedAt ? attempt.signedAt : at },
    ],
  };
  turn.accepted.set(row.id, row);
  turn.open = turn.open.map((other) => (other.row.id === row.id ? marked : other));
}
