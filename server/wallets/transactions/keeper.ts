import { sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { transactionAttempts } from "#db/schema/transactions.ts";
import { batched } from "#server/batch.ts";
import { captureHolds } from "#server/credits/hold-credits.ts";
import { uuidOf } from "#server/ids.ts";
import { holdLanes, type Lane, type Release, releaseLanes } from "./lanes.ts";
import { holdOf, type Move, moveTransactions, type TransactionRow } from "./move-transaction.ts";
import { type Attempt, type OpenTransaction, readOpen } from "./open-transactions.ts";

/** What becomes of a lane's transactions, all of it or nothing. */
export interface LaneChange {
  lane: Lane;
  moves: readonly Move[];
  /** Bytes to be kept beside their transactions, before anybody is shown them. */
  signed?: readonly { row: TransactionRow; attempt: Attempt }[];
  /** Bytes that a node has taken. */
  accepted?: readonly { row: TransactionRow; attempt: Attempt }[];
  /** Transactions whose credits are charged, as the chain has taken them for the first time. */
  charged?: readonly TransactionRow[];
}

/** Reads and stores for the lanes of an engine, what several ask for at once by the same statements. */
export interface Keeper {
  readOpen(lane: Lane): Promise<OpenTransaction[]>;
  /** Stores, so that it outlives any crash. Throws where the lane is another worker's by now. */
  keep(change: LaneChange): Promise<TransactionRow[]>;
  /** As `keep`, for what the chain has told and would tell again: the commit does not wait for the disk. */
  note(change: LaneChange): Promise<TransactionRow[]>;
  release(release: Release): Promise<void>;
}

// While one batch is under way the next one grows.
const BATCH = { inFlight: 1, size: 64 };

/** Makes the keeper of an engine. */
export function createKeeper(db: Db): Keeper {
  const storing = (durable: boolean) => {
    const store = batched((changes: LaneChange[]) => storeAll(db, changes, durable), BATCH);
    return async (change: LaneChange) => {
      const stored = await store(change);
      if (stored.status === "rejected") throw stored.reason;
      return stored.value;
    };
  };
  return {
    readOpen: batched((lanes: Lane[]) => readOpen(db, lanes), BATCH),
    keep: storing(true),
    note: storing(false),
    release: batched(async (releases: Release[]) => {
      await releaseLanes(db, releases);
      return releases.map(() => undefined);
    }, BATCH),
  };
}

/** Together; where that fails, each by itself, so that a lane that was lost spoils nothing for the others. */
async function storeAll(db: Db, changes: LaneChange[], durable: boolean) {
  const [together] = await Promise.allSettled([storeTogether(db, changes, durable)]);
  if (together.status === "fulfilled")
    return together.value.map((value) => ({ status: "fulfilled", value }) as const);
  if (changes.length === 1) return [together];
  const alone = changes.map(async (change) => (await storeTogether(db, [change], durable))[0] ?? []);
  return Promise.allSettled(alone);
}

function storeTogether(db: Db, changes: LaneChange[], durable: boolean): Promise<TransactionRow[][]> {
  return db.transaction(async (tx) => {
    const [, , rows] = await Promise.all([
      durable ? undefined : tx.execute(sql`set local synchronous_commit = off`),
      holdLanes(
        tx,
        changes.map(({ lane }) => lane),
      ),
      moveTransactions(
        tx,
        changes.flatMap(({ moves }) => moves),
      ),
      keepAttempts(
        tx,
        changes.flatMap(({ signed = [] }) => signed),
      ),
      noteAccepted(
        tx,
        changes.flatMap(({ accepted = [] }) => accepted),
      ),
      // Last, since all calls of an account wait for its book.
      captureHolds(tx, changes.flatMap(({ charged = [] }) => charged).flatMap(captureOf)),
    ]);
    const left = [...rows];
    return changes.map(({ moves }) => left.splice(0, moves.length));
  });
}

const captureOf = (row: TransactionRow) =>
  row.heldCredits > 0 ? { hold: holdOf(row), credits: row.heldCredits, units: 1 } : [];

/** Keeps signed bytes beside their transactions. */
export async function keepAttempts(
  tx: Transaction,
  signed: readonly { row: TransactionRow; attempt: Attempt }[],
): Promise<void> {
  if (signed.length === 0) return;
  await tx.insert(transactionAttempts).values(
    signed.map(({ row, attempt }) => ({
      ...{ accountId: row.accountId, transactionId: row.id, attempt: attempt.attempt },
      ...{ hash: attempt.hash, cancels: attempt.cancels },
      raw: Buffer.from(attempt.raw.slice(2), "hex"),
      maxFee: String(attempt.maxFee),
      priorityFee: String(attempt.priorityFee),
      signedAt: sql`now()`,
    })),
  );
}

/** However long nobody was there to send it: the time of an attempt to be mined begins when it is first taken. */
async function noteAccepted(
  tx: Transaction,
  accepted: readonly { row: TransactionRow; attempt: Attempt }[],
): Promise<void> {
  if (accepted.length === 0) return;
  const taken = accepted.map(({ row, attempt }) => ({
    ...{ account: uuidOf("account", row.accountId), id: uuidOf("transaction", row.id) },
    attempt: attempt.attempt,
  }));
  await tx.execute(sql`
    update transaction_attempts a
    set accepted_at = now(), signed_at = case when a.accepted_at is null then now() else a.signed_at end
    from jsonb_to_recordset(${JSON.stringify(taken)}::jsonb) as t(account uuid, id uuid, attempt int)
    where a.account_id = t.account and a.transaction_id = t.id and a.attempt = t.attempt`);
}
