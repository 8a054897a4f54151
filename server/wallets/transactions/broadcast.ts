import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { transactionAttempts } from "#db/schema/transactions.ts";
import { log } from "#server/log.ts";
import { chargeTransaction, moveTransaction, type TransactionRow } from "./move-transaction.ts";
import { inFlight, newest, type OpenTransaction } from "./open-transactions.ts";
import { type Sent, sendRaw } from "./send-raw.ts";
import { noteUnderLock, type Turn } from "./turn.ts";

/** Hands to the chain what is signed and what it may have forgotten: always the bytes that were kept. */
export async function broadcastSigned(turn: Turn): Promise<void> {
  const due = inFlight(turn.open, turn.mined).filter((one) => isDue(one, turn.patience.resendAfterMs));
  if (due.length === 0) return;
  const answers = await Promise.allSettled(due.map((one) => sendRaw(turn.chain, newest(one).raw)));
  const taken = due.filter((one, nth) => told(answers[nth], one)?.type === "accepted");
  await storeAccepted(turn, taken);
  const lost = answers.find((answer) => answer.status === "rejected");
  if (lost) throw lost.reason;
}

function isDue(one: OpenTransaction, resendAfterMs: number): boolean {
  const { acceptedAt } = newest(one);
  return acceptedAt === null || Date.now() - acceptedAt.getTime() > resendAfterMs;
}

/** What the node answered; that it does not take the bytes is noted, since it may take them later. */
function told(answer: PromiseSettledResult<Sent> | undefined, { row }: OpenTransaction): Sent | null {
  if (answer?.status !== "fulfilled") return null;
  if (answer.value.type === "refused")
    log.warn("A chain does not take a transaction; it is tried again.", {
      ...{ transactionId: row.id, network: row.network, reason: answer.value.message },
    });
  return answer.value;
}

async function storeAccepted(turn: Turn, taken: OpenTransaction[]): Promise<void> {
  if (taken.length === 0) return;
  const fresh = taken.filter(({ row }) => row.status === "signed").map(({ row }) => row);
  const stored = await noteUnderLock(
    turn,
    (tx) => taken.map((one) => storeAttempt(tx, one)),
    (tx) => chargeAll(tx, fresh),
  );
  const byId = new Map(stored.map((one) => [one.row.id, one]));
  turn.open = turn.open.map((one) => byId.get(one.row.id) ?? one);
}

async function storeAttempt(tx: Transaction, one: OpenTransaction): Promise<OpenTransaction> {
  const attempt = newest(one);
  // However long nobody was there to send it: its time to be mined begins now.
  const first = attempt.acceptedAt === null;
  const [row] = await Promise.all([
    one.row.status === "signed" ? markBroadcast(tx, one.row) : one.row,
    tx
      .update(transactionAttempts)
      .set({ acceptedAt: sql`clock_timestamp()`, ...(first && { signedAt: sql`clock_timestamp()` }) })
      .where(
        and(
          eq(transactionAttempts.accountId, one.row.accountId),
          eq(transactionAttempts.transactionId, one.row.id),
          eq(transactionAttempts.attempt, attempt.attempt),
        ),
      ),
  ]);
  const now = new Date();
  const taken = { ...attempt, acceptedAt: now, signedAt: first ? now : attempt.signedAt };
  return { row, tries: [...one.tries.slice(0, -1), taken] };
}

/** The chain has it for the first time: from here on it is paid for, which `chargeAll` sees to. */
export function markBroadcast(tx: Transaction, row: TransactionRow): Promise<TransactionRow> {
  return moveTransaction(tx, row, {
    status: "broadcast",
    chargedCredits: row.heldCredits,
    broadcastAt: sql`coalesce(broadcast_at, clock_timestamp())`,
  });
}

/** Charges what was set aside for transactions that the chain has taken. */
export async function chargeAll(tx: Transaction, rows: readonly TransactionRow[]): Promise<void> {
  await Promise.all(rows.map((row) => chargeTransaction(tx, row)));
}
