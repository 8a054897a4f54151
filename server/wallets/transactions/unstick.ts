import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { transactionAttempts } from "#db/schema/transactions.ts";
import { currentMs } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { uuidOf } from "#server/base/ids.ts";
import { platform } from "#server/platform.ts";
import { enqueueTransaction } from "../enqueue-transaction.ts";
import type { Spend } from "../funds.ts";
import { feeRefusalOf } from "../network-fees.ts";
import { feesOf, raisedFees } from "./fees.ts";
import { moveTransaction, type TransactionRow } from "./move-transaction.ts";
import { type Attempt, inFlight, newest, type OpenTransaction } from "./open-transactions.ts";
import { callOf, PLAIN_GAS } from "./precheck.ts";
import { NOTHING, storeMined } from "./settle-mined.ts";
import { signAttempt, signerFor } from "./sign.ts";
import { type Turn, underLock, usedNonces } from "./turn.ts";

/** A cancelling attempt takes only its fee, which is known when it is signed. */
const NO_SPEND: Spend = { asset: "native", amount: "0", fee: "0" };
/** How often a transaction's fees are raised; with a quarter more each time, it offers nine times as much in the end. */
const MAX_ATTEMPTS = 11;

/**
 * Unblocks an address: raises the fees of a transaction if they are too low, and fills a nonce that no transaction has.
 * Returns whether there are new bytes to send.
 */
export async function unstick(turn: Turn): Promise<boolean> {
  const [first] = inFlight(turn.open, turn.mined);
  if (!first || currentMs() - newest(first).signedAt.getTime() < turn.patience.stuckAfterMs) return false;
  await storeMined(turn, NOTHING);
  if (first.row.nonce === turn.mined) return replaceStuck(turn, first);
  await fillGap(turn);
  return false;
}

async function replaceStuck(turn: Turn, stuck: OpenTransaction): Promise<boolean> {
  if (stuck.tries.length >= MAX_ATTEMPTS) return false;
  const signer = signerFor(turn);
  const [now, balance] = await Promise.all([
    feesOf(turn.chain),
    turn.chain.client.getBalance({ address: turn.sender.address }),
  ]);
  if (!signer) return false;
  const last = newest(stuck);
  const fees = raisedFees(turn.chain, last, now);
  if (!fees) return false;
  const { row } = stuck;
  const gas = defined(row.gas);
  const affordable = callOf(row).value + gas * fees.maxFee <= balance;
  // A transaction that was never accepted and cannot be paid for is cancelled; one that was accepted may still be mined
  // as it is.
  const cancels = last.cancels || (!affordable && stuck.tries.every(({ acceptedAt }) => acceptedAt === null));
  if (cancels ? PLAIN_GAS * fees.maxFee > balance : !affordable) return false;
  const choice = { row, nonce: defined(row.nonce), gas, fees, cancels };
  const made = await signAttempt(turn, signer, choice);
  const [replaced] = await underLock(turn, (tx) => [replaceBytes(tx, row, made)]).catch((reason) => {
    // Its network fee is at the limit: it stays as it is.
    if (feeRefusalOf(reason)) return [null];
    throw reason;
  });
  if (replaced === null) return false;
  turn.open = turn.open.map((one) =>
    one === stuck ? { row: replaced ?? row, tries: [...one.tries, made] } : one,
  );
  return true;
}

async function replaceBytes(tx: Transaction, row: TransactionRow, made: Attempt): Promise<TransactionRow> {
  await keepAttempt(tx, row, made);
  return moveTransaction(tx, row, { hash: made.hash, attempts: made.attempt });
}

async function keepAttempt(tx: Transaction, { accountId, id }: TransactionRow, made: Attempt): Promise<void> {
  await tx.insert(transactionAttempts).values({
    accountId,
    transactionId: id,
    attempt: made.attempt,
    hash: made.hash,
    cancels: made.cancels,
    raw: Buffer.from(made.raw.slice(2), "hex"),
    maxFee: String(made.maxFee),
    priorityFee: String(made.priorityFee),
    signedAt: sql`now()`,
  });
  const signed = {
    account: uuidOf("account", accountId),
    id: uuidOf("transaction", id),
    max_fee: String(made.maxFee),
  };
  const limits = platform().settings.networkFees;
  await tx.execute(
    sql`select reserve_fees(${JSON.stringify([signed])}::jsonb, ${JSON.stringify(limits)}::jsonb)`,
  );
}

/**
 * Fills a nonce below the signed ones that no transaction has by a transaction that moves nothing. No waiting transaction
 * took it in this turn, since those wait for the signed ones.
 */
async function fillGap(turn: Turn): Promise<void> {
  const { sender, chain, mined } = turn;
  if (turn.open.some(({ row }) => row.status === "reserved" && isFiller(row))) return;
  const used = await usedNonces(turn);
  if (used.has(mined)) return;
  const { row } = defined(turn.open[0]);
  const { accountId, projectId, endUserId } = row;
  const wallet = { accountId, projectId, endUserId, id: sender.walletId, address: sender.address };
  await underLock(turn, (tx) => [
    enqueueTransaction(tx, {
      spends: [NO_SPEND],
      wallet,
      chain,
      to: sender.address,
      asset: "native",
      amount: "0",
      call: { to: sender.address, value: 0n, data: "0x", gas: PLAIN_GAS },
    }),
  ]);
}

/** True if the transaction only uses up a nonce. */
const isFiller = (row: TransactionRow) => row.to === row.from && row.quoteId === null && row.amount === "0";
