import { log } from "#server/base/log.ts";
import { attemptOf, findSent, matchRow } from "./find-sent.ts";
import type { Move, TransactionRow } from "./move-transaction.ts";
import type { Attempt } from "./open-transactions.ts";
import type { Turn } from "./turn.ts";

/**
 * Finds the waiting transactions that the chain has already: if an older state of the database was restored, the address
 * has used nonces that no row has. Nothing is signed until the transactions with these nonces are found.
 */
export async function adoptSent(turn: Turn): Promise<void> {
  const { sender, chain, mined, startedAt } = turn;
  if (mined <= sender.next) return;
  const waiting = turn.open
    .map(({ row }) => row)
    .filter((row) => row.status === "reserved" && row.createdAt < startedAt);
  const adopted: { row: TransactionRow; attempt: Attempt; nonce: number; gas: bigint }[] = [];
  for (let nonce = sender.next; nonce < mined && adopted.length < waiting.length; nonce += 1) {
    const sent = await findSent(chain, sender.address, nonce);
    if (!sent) continue;
    const row = waiting.find(
      (row) => matchRow(sent, row)?.cancels === false && !adopted.some((one) => one.row === row),
    );
    const attempt = row && attemptOf(sent, { attempt: row.attempts + 1, cancels: false });
    if (attempt) adopted.push({ row, attempt, nonce, gas: sent.gas });
  }
  const signed = adopted.map(({ row, attempt }) => ({ row, attempt }));
  const moves = adopted.map(({ row, attempt, nonce, gas }): Move => {
    const { hash, attempt: attempts, signedAt } = attempt;
    return { row, change: { status: "signed", nonce, gas, hash, attempts, signedAt } };
  });
  const rows = await turn.writer.writeDurable({ sender: { ...sender, next: mined }, signed, moves });
  log.warn(
    "A wallet's address has sent a transaction that the database does not know, as after a restore of an older state.",
    {
      walletId: sender.walletId,
      network: sender.network,
      nonces: mined - sender.next,
      found: adopted.length,
    },
  );
  sender.next = mined;
  turn.open = turn.open.map((one) => {
    const nth = adopted.findIndex(({ row }) => row === one.row);
    const [row, attempt] = [rows[nth], adopted[nth]?.attempt];
    return row && attempt ? { row, tries: [attempt] } : one;
  });
}
