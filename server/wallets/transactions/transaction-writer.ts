import { sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { retryUndone } from "#db/retry-undone.ts";
import { batched } from "#server/base/batch.ts";
import { defined } from "#server/base/defined.ts";
import { idOf, uuidOf } from "#server/base/ids.ts";
import { emitBalanceEvents } from "#server/credits/balance-events.ts";
import { settlementOf } from "#server/credits/settlement-event.ts";
import { emittedEvent, publishEvent } from "#server/events/emit-event.ts";
import { refusedStatement, runBatch } from "#server/operation/statement-batch.ts";
import { endUserNamed } from "#server/operation/tenancy.ts";
import { platform } from "#server/platform.ts";
import {
  type LeasedSender,
  LeaseLost,
  type Release,
  releaseSenders,
  storedSender,
} from "./leased-senders.ts";
import {
  eventOf,
  eventType,
  type Move,
  movedRow,
  stepsOf,
  storedMove,
  type TransactionRow,
  withEnd,
} from "./move-transaction.ts";
import type { Attempt } from "./open-transactions.ts";

/** The changes of a sender's transactions, stored all or none. */
export interface SenderChange {
  sender: LeasedSender;
  moves: readonly Move[];
  /** Signed bytes, stored with their transactions before they are sent. */
  signed?: readonly { row: TransactionRow; attempt: Attempt }[];
  /** Bytes that a node has accepted. */
  accepted?: readonly { row: TransactionRow; attempt: Attempt }[];
  /** Transactions that are charged, because the chain has included them for the first time. */
  charged?: readonly TransactionRow[];
  /** If the same commit ends the sender's lease: after how many milliseconds it is due again, as in a `Release`. */
  release?: Pick<Release, "dueInMs"> | undefined;
}

/** Writes for the senders of an engine; concurrent writes share a statement. */
export interface TransactionWriter {
  /**
   * Writes durably. Throws `LeaseLost` if another worker has the sender, and the refusal of `feeRefusalOf` if a network fee
   * exceeds a limit.
   */
  writeDurable(change: SenderChange): Promise<TransactionRow[]>;
  /** Like `writeDurable`, but does not wait for the disk: for reports of the chain, which it would repeat. */
  writeRelaxed(change: SenderChange): Promise<TransactionRow[]>;
  release(release: Release): Promise<void>;
}

// While one batch is under way the next one grows.
const BATCH = { inFlight: 1, size: 64 };

/** Creates the writer of an engine. */
export function createTransactionWriter(db: Db): TransactionWriter {
  const storing = (durable: boolean) => {
    const store = batched((changes: SenderChange[]) => storeAll(db, changes, durable), BATCH);
    return async (change: SenderChange) => {
      const stored = await store(change);
      if (stored.status === "rejected") throw stored.reason;
      return stored.value;
    };
  };
  return {
    writeDurable: storing(true),
    writeRelaxed: storing(false),
    release: batched(async (releases: Release[]) => {
      await releaseSenders(db, releases);
      return releases.map(() => undefined);
    }, BATCH),
  };
}

/** Stores together; if that fails, each by itself, so that one lost lease fails no other sender. */
async function storeAll(db: Db, asked: SenderChange[], durable: boolean) {
  const changes = asked.map((change) => ({ ...change, moves: change.moves.map(withEnd) }));
  const [together] = await Promise.allSettled([storeTogether(db, changes, durable)]);
  const rows = changes.map(({ moves }) => moves.map(movedRow));
  if (together.status === "fulfilled") return rows.map((value) => ({ status: "fulfilled", value }) as const);
  if (changes.length === 1) return [together];
  return Promise.allSettled(
    changes.map(async (change, nth) => {
      await storeTogether(db, [change], durable);
      return defined(rows[nth]);
    }),
  );
}

/** Stores by one statement, with the events of accounts that have webhooks; in a transaction if a charge emits one. */
async function storeTogether(db: Db, changes: SenderChange[], durable: boolean): Promise<void> {
  const withEvents = new Set(
    changes.filter(({ sender }) => sender.wantsEvents).map(({ sender }) => sender.accountId),
  );
  let emitsBalance = false;
  for (;;) {
    try {
      if (!emitsBalance) await retryUndone(() => store(db, changes, { withEvents, emitsBalance, durable }));
      else await db.transaction((tx) => storeAndEmit(tx, changes, { withEvents, emitsBalance, durable }));
      break;
    } catch (reason) {
      const refused = refusedStatement(reason);
      if (refused === "senders") throw new LeaseLost();
      if (refused === "charges") emitsBalance = true;
      // A webhook was created since the sender was claimed.
      else if (refused === "events") for (const { sender } of changes) withEvents.add(sender.accountId);
      else throw reason;
    }
  }
  for (const step of changes.flatMap(({ moves }) => moves).flatMap(stepsOf))
    publishEvent({ accountId: step.accountId, type: eventType(step) }, withEvents.has(step.accountId));
}

interface StoreOptions {
  /** Accounts whose events are stored. */
  withEvents: ReadonlySet<string>;
  /** Whether charges that reach a threshold emit balance events. */
  emitsBalance: boolean;
  durable: boolean;
}

/** A charge that has brought its account's total to a threshold with an event. */
interface Low {
  account: string;
  total: number;
  low: boolean;
}

async function storeAndEmit(tx: Transaction, changes: SenderChange[], options: StoreOptions): Promise<void> {
  const low = await store(tx, changes, options);
  for (const { account, ...charged } of low) await emitBalanceEvents(tx, idOf("account", account), charged);
}

async function store(
  db: Db | Transaction,
  changes: SenderChange[],
  { withEvents, emitsBalance, durable }: StoreOptions,
) {
  const all = JSON.stringify(storedChanges(changes));
  const accounts = [...withEvents].map((id) => uuidOf("account", id));
  const steps = changes.flatMap(({ moves }) => moves).flatMap(stepsOf);
  const events = await Promise.all(
    steps
      .filter(({ accountId }) => withEvents.has(accountId))
      .map(async (row) => eventOf(row, await endUserNamed(db, row.accountId, row.endUserId))),
  );
  const { low } = await runBatch(db, {
    low: sql`store_transactions(${all}::jsonb, ${sql.param(accounts)}::uuid[], ${emitsBalance}, ${durable})`,
    ...Object.fromEntries(events.map((event, nth) => [`event${nth}`, emittedEvent(event)])),
  });
  return low as Low[];
}

const chargeEvent = (row: TransactionRow) =>
  settlementOf(row, {
    operation: "wallets.transactions.settle",
    resource: row.id,
    credits: row.heldCredits,
  });

/** Returns changes as arguments of `store_transactions`. */
function storedChanges(changes: readonly SenderChange[]) {
  const idsOf = ({ accountId, id }: TransactionRow) => ({
    account: uuidOf("account", accountId),
    id: uuidOf("transaction", id),
  });
  return {
    senders: changes.map(({ sender, release }) => storedSender(sender, release)),
    feeLimits: platform().settings.networkFees,
    moves: changes.flatMap(({ moves }) => moves.map(storedMove)),
    signed: changes
      .flatMap(({ signed = [] }) => signed)
      .map(({ row, attempt }) => ({
        ...idsOf(row),
        attempt: attempt.attempt,
        hash: attempt.hash,
        raw: attempt.raw.slice(2),
        max_fee: String(attempt.maxFee),
        priority_fee: String(attempt.priorityFee),
        cancels: attempt.cancels,
      })),
    accepted: changes
      .flatMap(({ accepted = [] }) => accepted)
      .map(({ row, attempt }) => ({ ...idsOf(row), attempt: attempt.attempt })),
    charges: changes
      .flatMap(({ charged = [] }) => charged)
      .filter(({ heldCredits }) => heldCredits > 0)
      .map((row) => ({ ...idsOf(row), credits: row.heldCredits, event: chargeEvent(row) })),
  };
}
