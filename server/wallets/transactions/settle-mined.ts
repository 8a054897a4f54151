import { formatEther, type TransactionReceipt, TransactionReceiptNotFoundError } from "viem";
import type { Chain } from "#server/providers/chain/chains.ts";
import { storeAccepted } from "./broadcast.ts";
import { type Change, moveTransaction } from "./move-transaction.ts";
import { type Attempt, newest, type OpenTransaction } from "./open-transactions.ts";
import { replaceRows, type Turn, underLock } from "./turn.ts";

/** What the chain has of a transaction. */
interface Found {
  one: OpenTransaction;
  attempt: Attempt;
  receipt: TransactionReceipt;
}

const FEW = 5;

/** Looks for what has come into blocks, and ends what is deep enough in them. */
export async function settleMined(turn: Turn): Promise<void> {
  const { chain, lane } = turn;
  const signed = turn.open.filter(({ row }) => row.nonce !== null);
  if (signed.length === 0) return;
  const [first] = signed;
  // Of a few the receipts alone tell; of many the address's count tells which to look for.
  const mined =
    signed.length <= FEW ? null : await chain.client.getTransactionCount({ address: lane.address });
  const past = signed.filter(({ row }) => mined === null || (row.nonce as number) < mined);
  const looked = await Promise.all(past.map((one) => findReceipt(chain, one)));
  const found = looked.filter((entry) => entry !== null);
  if (found.length > 0) await storeAll(turn, found);
  const missing = past.filter((_, nth) => looked[nth] === null);
  if (first && missing.includes(first)) await giveUpTaken(turn, first);
}

async function storeAll(turn: Turn, found: Found[]): Promise<void> {
  const { chain } = turn;
  // A receipt is one confirmation; only for more of them the head has to be known.
  const head = chain.confirmations > 1 ? Number(await chain.client.getBlockNumber({ cacheTime: 0 })) : 0;
  await storeAccepted(
    turn,
    found.map(({ one }) => one).filter(({ row }) => row.status === "signed"),
  );
  const moves = found.map((entry) => ({ row: entry.one.row, change: changeBy(entry, chain, head) }));
  const known = new Map(turn.open.map(({ row }) => [row.id, row]));
  replaceRows(
    turn,
    await turn.keeper.note({
      lane: turn.lane,
      moves: moves.map(({ row, change }) => ({ row: known.get(row.id) ?? row, change })),
    }),
  );
}

/** The receipt of whichever bytes the chain has taken, the newest first. */
async function findReceipt({ client }: Chain, one: OpenTransaction): Promise<Found | null> {
  for (const attempt of one.tries.toReversed()) {
    try {
      return { one, attempt, receipt: await client.getTransactionReceipt({ hash: attempt.hash }) };
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
    }
  }
  return null;
}

/** What its receipt makes of a transaction. */
function changeBy({ attempt, receipt }: Found, chain: Chain, head: number): Change {
  const blockNumber = Number(receipt.blockNumber);
  const confirmations = Math.max(1, head - blockNumber + 1);
  const reverted = receipt.status === "reverted";
  const feePaid = formatEther(receipt.gasUsed * receipt.effectiveGasPrice);
  const mined = {
    ...{ hash: attempt.hash, blockNumber, blockHash: receipt.blockHash },
    ...{ confirmations, reverted, feePaid },
  };
  if (confirmations < chain.confirmations) return mined;
  const end = attempt.cancels ? CANCELLED : reverted ? REVERTED : CONFIRMED;
  return { ...mined, finalizedAt: confirmations >= chain.finality ? "now" : null, ...end };
}

const CONFIRMED = { status: "confirmed", confirmedAt: "now" } as const;
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

/**
 * Its nonce is used up in blocks that no reorganisation takes back, and by nothing that was signed for it: then the
 * chain never takes it.
 */
async function giveUpTaken(turn: Turn, one: OpenTransaction): Promise<void> {
  const { chain, lane, patience } = turn;
  if (Date.now() - newest(one).signedAt.getTime() < patience.stuckAfterMs) return;
  const deep = (await chain.client.getBlockNumber({ cacheTime: 0 })) - BigInt(chain.finality);
  if (deep < 0n) return;
  const mined = await chain.client.getTransactionCount({ address: lane.address, blockNumber: deep });
  if (mined <= (one.row.nonce as number) || (await findReceipt(chain, one))) return;
  const failure = {
    code: "nonce_taken",
    message: `Nonce ${one.row.nonce} of the address was used by a transaction that the platform did not sign.`,
  };
  replaceRows(
    turn,
    await underLock(turn, (tx) => [moveTransaction(tx, one.row, { status: "failed", failure })]),
  );
}
