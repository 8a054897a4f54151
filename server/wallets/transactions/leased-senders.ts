import { type SQL, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import type { wallets } from "#db/schema/wallets.ts";
import { idOf, uuidOf } from "#server/base/ids.ts";
import type { TransactionRow } from "./move-transaction.ts";
import { type OpenTransaction, type StoredOpen, toOpen } from "./open-transactions.ts";

/** A wallet's address on a chain, leased to a worker: only that worker signs and sends for it. */
export interface LeasedSender {
  accountId: string;
  walletId: string;
  network: string;
  address: `0x${string}`;
  /** One past the highest nonce that was ever signed. */
  next: number;
  /** Drawn anew for each claim: the number of a claim lost in a crash must not be reused. */
  fence: number;
  /** True if the account had webhooks when it was claimed. */
  wantsEvents: boolean;
  /** The wallet's sealed key, as it was then. */
  wallet: Pick<typeof wallets.$inferSelect, "status" | "sealedKey" | "kekId">;
}

/** A sender with its transactions that have not ended. */
export interface Claim {
  sender: LeasedSender;
  open: OpenTransaction[];
}

/** Another worker has claimed the sender, and continues from the stored state. */
export class LeaseLost extends Error {
  constructor() {
    super("The sender was claimed by another worker.");
    this.name = "LeaseLost";
  }
}

// Longer than a turn takes; after a worker has died, others wait this long for its senders.
const LEASE_SECONDS = 10;

interface Row extends Record<string, unknown> {
  account_id: string;
  wallet_id: string;
  network: string;
  address: `0x${string}`;
  next: string;
  fence: number;
  status: LeasedSender["wallet"]["status"];
  sealed_key: Buffer;
  kek_id: string;
  wants_events: boolean;
  open: StoredOpen[];
}

/** Leases senders of these chains that have something to do. */
export async function claimSenders(db: Db, networks: readonly string[], limit: number): Promise<Claim[]> {
  const rows = await db.execute<Row>(
    sql`select * from claim_senders(${sql.param(networks)}::text[], ${limit}, ${LEASE_SECONDS})`,
  );
  return rows.map(({ open, ...row }) => ({
    sender: {
      accountId: idOf("account", row.account_id),
      walletId: idOf("wallet", row.wallet_id),
      network: row.network,
      address: row.address,
      next: Number(row.next),
      fence: row.fence,
      wantsEvents: row.wants_events,
      wallet: { status: row.status, sealedKey: row.sealed_key, kekId: row.kek_id },
    },
    open: open.map(toOpen),
  }));
}

/**
 * Leases the sender of a transaction that the same batch inserts. `claimOf` converts the statement's result to a claim; it
 * is null if another worker has the sender, or if the sender has other transactions.
 */
export function claimedSender({ accountId, walletId, network }: TransactionRow): SQL {
  return sql`claim_sender(${uuidOf("account", accountId)}, ${uuidOf("wallet", walletId)}, ${network}, ${LEASE_SECONDS})`;
}

/** Returns the claim of a sender that `claimedSender` leased, with its only transaction. */
export function claimOf(row: TransactionRow, leased: Leased, wantsEvents: boolean): Claim {
  const { accountId, walletId, network, from: address } = row;
  const { next, fence, sealedKey, kekId } = leased;
  const wallet = { status: "active", sealedKey: Buffer.from(sealedKey, "base64"), kekId } as const;
  return {
    sender: { accountId, walletId, network, address, next, fence, wantsEvents, wallet },
    open: [{ row, tries: [] }],
  };
}

/** The result of `claim_sender`. */
export interface Leased {
  next: number;
  fence: number;
  sealedKey: string;
  kekId: string;
}

/** Locks a sender until the transaction ends, so that nobody else signs meanwhile; throws if its lease is lost. */
export async function holdSender(tx: Transaction, sender: LeasedSender): Promise<void> {
  const [row] = await tx.execute<{ held: boolean }>(
    sql`select hold_senders(${JSON.stringify([storedSender(sender)])}::jsonb) as held`,
  );
  if (!row?.held) throw new LeaseLost();
}

/** The end of a lease. The sender is due again after `dueInMs`; null: when it gets another transaction. */
export interface Release {
  sender: LeasedSender;
  dueInMs: number | null;
}

/** Ends leases, except of senders that another worker has claimed. If a crash undoes that, the leases expire. */
export async function releaseSenders(db: Db, releases: readonly Release[]): Promise<void> {
  const senders = releases.map((release) => storedSender(release.sender, release));
  await db.execute(
    sql`select set_config('synchronous_commit', 'off', true), hold_senders(${JSON.stringify(senders)}::jsonb)`,
  );
}

/** Returns a sender as the argument of `hold_senders`, which ends its lease if there is a release. */
export function storedSender(sender: LeasedSender, release?: Pick<Release, "dueInMs">) {
  const { accountId, walletId, network, fence, next } = sender;
  return {
    account: uuidOf("account", accountId),
    wallet: uuidOf("wallet", walletId),
    network,
    fence,
    next,
    seconds: LEASE_SECONDS,
    released: release !== undefined,
    due: release?.dueInMs ?? null,
  };
}
