import { formatEther, type Hex } from "viem";
import { currentMs, currentTime } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { markAccepted } from "./broadcast.ts";
import { attemptOf, findSent, matchRow } from "./find-sent.ts";
import {
  type Move,
  movedRow,
  moveTransaction,
  type TransactionChange,
  type TransactionRow,
  withEnd,
} from "./move-transaction.ts";
import { type Attempt, newest, type OpenTransaction } from "./open-transactions.ts";
import { type Turn, underLock, withRows } from "./turn.ts";

/** The mined transactions that a search found. */
export interface Look {
  found: readonly MinedAttempt[];
  /** The newest block, if its number matters. */
  head: number;
}

interface MinedAttempt {
  one: OpenTransaction;
  attempt: Attempt;
  receipt: Receipt;
}

/** The fields of a receipt that are used. */
interface Receipt {
  blockNumber: Hex;
  blockHash: Hex;
  status: Hex;
  gasUsed: Hex;
  effectiveGasPrice: Hex;
  /** The fee for the data on the layer below, which chains of the OP Stack take beside that for gas. */
  l1Fee?: unknown;
}

export const NOTHING: Look = { found: [], head: 0 };
const FEW = 5;

/** Finds transactions that were mined, and fails those that the chain can never accept. */
export async function findMined(turn: Turn): Promise<Look> {
  const { chain, sender } = turn;
  const signed = turn.open.filter(({ row }) => row.nonce !== null);
  const [first] = signed;
  if (!first) return NOTHING;
  // For a few, all receipts are read; for many, the address's nonce shows which receipts exist.
  const mined =
    signed.length <= FEW ? null : await chain.client.getTransactionCount({ address: sender.address });
  const past = signed.filter(({ row }) => mined === null || defined(row.nonce) < mined);
  const looked = await Promise.all(past.map((one) => findReceipt(chain, one)));
  if (looked[past.indexOf(first)] === null) await giveUpTaken(turn, first);
  const found = looked.filter((entry) => entry !== null);
  // A receipt is one confirmation; the head is needed only to count more.
  const deep = found.length > 0 && chain.confirmations > 1;
  return { found, head: deep ? Number(await chain.client.getBlockNumber({ cacheTime: 0 })) : 0 };
}

/**
 * Stores accepted and mined transactions as one change; ends those that are deep enough. With `nextLook`, the sender is
 * released with it. Returns whether there was something to store.
 */
export async function storeMined(
  turn: Turn,
  { found, head }: Look,
  nextLook?: (open: readonly OpenTransaction[]) => number | null,
): Promise<boolean> {
  const { sender, accepted } = turn;
  for (const { one } of found) if (one.row.status === "signed") markAccepted(turn, one);
  if (found.length + accepted.size === 0) return false;
  const byId = new Map(found.map((entry) => [entry.one.row.id, entry]));
  const changed = turn.open.filter(({ row }) => accepted.has(row.id) || byId.has(row.id));
  const sent = changed.filter(({ row }) => accepted.has(row.id));
  const moves = changed.map(({ row }) => {
    const entry = byId.get(row.id);
    return moveOf(accepted.get(row.id) ?? row, row, entry ? changeBy(entry, turn.chain, head) : {});
  });
  const left = withRows(turn.open, moves.map(movedRow));
  await turn.writer.writeRelaxed({
    sender,
    moves: moves.filter(({ change }) => Object.keys(change).length > 0),
    accepted: sent.map((one) => ({ row: one.row, attempt: newest(one) })),
    charged: sent.flatMap(({ row }) => (accepted.get(row.id)?.status === "signed" ? row : [])),
    release: nextLook && { dueInMs: nextLook(left) },
  });
  accepted.clear();
  turn.open = left;
  return true;
}

/** Returns the change from the stored row to the mined one, with the intermediate `broadcast` row if it was passed. */
function moveOf(stored: TransactionRow, row: TransactionRow, mined: TransactionChange): Move {
  const { status, chargedCredits, broadcastAt } = row;
  const sent = stored.status === "signed" ? { status, chargedCredits, broadcastAt } : {};
  const change = { ...sent, ...mined };
  return withEnd({ row: stored, change, between: "status" in sent && "status" in mined ? row : undefined });
}

/** Returns the receipt of the attempt that the chain has included, trying the newest first. */
async function findReceipt({ client }: Chain, one: OpenTransaction): Promise<MinedAttempt | null> {
  for (const attempt of one.tries.toReversed()) {
    const receipt = await client.request({ method: "eth_getTransactionReceipt", params: [attempt.hash] });
    if (receipt) return { one, attempt, receipt };
  }
  return null;
}

/** Returns the change of a transaction by its receipt. */
function changeBy({ attempt, receipt }: MinedAttempt, chain: Chain, head: number): TransactionChange {
  const blockNumber = Number(receipt.blockNumber);
  const confirmations = Math.max(1, head - blockNumber + 1);
  const reverted = receipt.status === "0x0";
  const feePaid = formatEther(feeOf(receipt));
  const mined = {
    hash: attempt.hash,
    blockNumber,
    blockHash: receipt.blockHash,
    confirmations,
    reverted,
    feePaid,
  };
  if (confirmations < chain.confirmations) return mined;
  const finalizedAt = confirmations >= chain.finality ? currentTime() : null;
  if (attempt.cancels) return { ...mined, finalizedAt, ...CANCELLED };
  if (reverted) return { ...mined, finalizedAt, ...REVERTED };
  return { ...mined, finalizedAt, status: "confirmed", confirmedAt: currentTime() };
}

/** A quantity far beyond all coins that a chain has. */
const QUANTITY = /^0x[\da-f]{1,32}$/i;

/** Returns the fee that the chain took. Its `l1Fee` only adds to it, and anything but a quantity adds nothing. */
function feeOf({ gasUsed, effectiveGasPrice, l1Fee }: Receipt): bigint {
  const forData = typeof l1Fee === "string" && QUANTITY.test(l1Fee) ? BigInt(l1Fee) : 0n;
  return BigInt(gasUsed) * BigInt(effectiveGasPrice) + forData;
}

const REVERTED = {
  status: "failed",
  failure: { code: "reverted", message: "The chain has carried it out, and the contract has refused it." },
} as const;
const CANCELLED = {
  status: "cancelled",
  failure: {
    code: "insufficient_funds",
    message:
      "The wallet had too little left when it was sent; its nonce was used up without moving anything.",
  },
} as const;

/** By transaction: the block in which this process first saw its nonce used, on chains whose node keeps no old state. */
const seenUsed = new Map<string, bigint>();

/** Stores bytes that the chain has with their transaction; the next search finds their receipt. */
async function adopt(turn: Turn, one: OpenTransaction, attempt: Attempt): Promise<void> {
  const change = { hash: attempt.hash, attempts: attempt.attempt };
  const signed = [{ row: one.row, attempt }];
  const rows = await turn.writer.writeDurable({
    sender: turn.sender,
    signed,
    moves: [{ row: one.row, change }],
  });
  turn.open = withRows(turn.open, rows).map((other) =>
    other.row.id === one.row.id ? { ...other, tries: [...one.tries, attempt] } : other,
  );
}

/** True if the nonce was used in blocks that no reorganisation can remove. */
async function isUsedFinally({ chain, sender }: Turn, { row }: OpenTransaction): Promise<boolean> {
  const { client, finality } = chain;
  const { address } = sender;
  const nonce = defined(row.nonce);
  const head = await client.getBlockNumber({ cacheTime: 0 });
  const deep = head - BigInt(finality);
  if (deep < 0n) return false;
  // Most nodes know only the states of the last 128 blocks; without them, the present nonce is watched for as many blocks.
  const mined = await client.getTransactionCount({ address, blockNumber: deep }).catch(() => null);
  if (mined !== null) return mined > nonce;
  if ((await client.getTransactionCount({ address })) <= nonce) {
    seenUsed.delete(row.id);
    return false;
  }
  const since = seenUsed.get(row.id) ?? head;
  seenUsed.set(row.id, since);
  return head - since >= BigInt(finality);
}

/**
 * Fails a transaction whose nonce another transaction has used in a final block: the chain can never accept it. Attempts
 * that a restored database lacks are stored with it again.
 */
async function giveUpTaken(turn: Turn, one: OpenTransaction): Promise<void> {
  const { chain, patience, sender } = turn;
  if (currentMs() - newest(one).signedAt.getTime() < patience.stuckAfterMs) return;
  if (!(await isUsedFinally(turn, one)) || (await findReceipt(chain, one))) return;
  const sent = await findSent(chain, sender.address, defined(one.row.nonce));
  const match = sent && matchRow(sent, one.row);
  const attempt = match && attemptOf(sent, { attempt: one.row.attempts + 1, cancels: match.cancels });
  if (attempt) return adopt(turn, one, attempt);
  seenUsed.delete(one.row.id);
  const failure = {
    code: "nonce_taken",
    message: `Nonce ${one.row.nonce} of the address was used by a transaction that the platform did not sign.`,
  };
  const rows = await underLock(turn, (tx) => [moveTransaction(tx, one.row, { status: "failed", failure })]);
  turn.open = withRows(turn.open, rows);
}
