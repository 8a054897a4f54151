import { and, eq, gte } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import type { Pace } from "#server/base/pace.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { holdSender, type LeasedSender } from "./leased-senders.ts";
import type { OpenTransaction } from "./open-transactions.ts";
import type { SenderState } from "./sender-state.ts";
import type { TransactionWriter } from "./transaction-writer.ts";

/** How long an engine waits for the chain. */
export interface Patience {
  /** The age of a blocking transaction's newest attempt at which its fees are raised. */
  stuckAfterMs: number;
  /** The pause after which bytes that are in no block are sent again. */
  resendAfterMs: number;
}

/** One turn of a sender, taken by the process that has claimed it. */
export interface Turn extends SenderState {
  db: Db;
  writer: TransactionWriter;
  chain: Chain;
  sender: LeasedSender;
  patience: Patience;
  /** The engine's start: transactions stored before may have been sent by another process. */
  startedAt: Date;
  /** Decides whether a node's refusal is logged. */
  pace: Pace;
  /** The transactions that have not ended; replaced during the turn. */
  open: OpenTransaction[];
  /** The transactions that a node accepted in this turn and that are not stored yet, by id. */
  accepted: Map<string, OpenTransaction["row"]>;
}

/** Writes under the sender's lock; nothing is written if another worker has claimed the sender. */
export function underLock<Result>(
  { db, sender }: Pick<Turn, "db" | "sender">,
  write: (tx: Transaction) => Promise<Result>[],
): Promise<Result[]> {
  return db.transaction(async (tx) => {
    const [, ...results] = await Promise.all([holdSender(tx, sender), ...write(tx)]);
    return results;
  });
}

/** Returns the open transactions with their stored rows, without those that have ended. */
export function withRows(
  open: readonly OpenTransaction[],
  rows: readonly OpenTransaction["row"][],
): OpenTransaction[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return open
    .map((one) => ({ ...one, row: byId.get(one.row.id) ?? one.row }))
    .filter(({ row }) => row.endedAt === null);
}

/** Returns the nonces of the sender's transactions, from the next one to be mined on, whatever their status. */
export async function usedNonces({ db, sender, open, mined }: Turn): Promise<Set<number>> {
  const known = new Set(open.flatMap(({ row }) => row.nonce ?? []));
  const missing = Array.from({ length: Math.max(0, sender.next - mined) }, (_, nth) => mined + nth).some(
    (nonce) => !known.has(nonce),
  );
  if (!missing) return known;
  const { accountId, walletId, network, direction, nonce } = walletTransactions;
  const rows = await db
    .select({ nonce })
    .from(walletTransactions)
    .where(
      and(
        eq(accountId, sender.accountId),
        eq(walletId, sender.walletId),
        eq(network, sender.network),
        eq(direction, "out"),
        gte(nonce, mined),
      ),
    );
  return new Set(rows.flatMap((row) => row.nonce ?? []));
}
