import { type SQL, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import type { wallets } from "#db/schema/wallets.ts";
import { idOf, uuidOf } from "#server/ids.ts";
import type { TransactionRow } from "./move-transaction.ts";
import { type OpenTransaction, type StoredOpen, toOpen } from "./open-transactions.ts";

/** What one wallet sends on one chain: whoever has claimed it is the only one to sign and send there. */
export interface Lane {
  accountId: string;
  walletId: string;
  network: string;
  address: `0x${string}`;
  /** One past the highest nonce that was ever signed. */
  next: number;
  /** Drawn for each claim: one that a crash took back must not be another's number. */
  fence: number;
  /** Whether the account heard of events when it was claimed. */
  heard: boolean;
  /** What it is signed by, as it was then. */
  wallet: Pick<typeof wallets.$inferSelect, "status" | "sealedKey" | "kekId">;
}

/** A lane with what has not ended in it. */
export interface Claim {
  lane: Lane;
  open: OpenTransaction[];
}

/** Somebody else has claimed the lane: what is not stored yet is theirs to do. */
export class LaneLost extends Error {
  constructor() {
    super("The lane was claimed by another worker.");
    this.name = "LaneLost";
  }
}

// Longer than a turn takes; after a worker has died, others wait this long for its lanes.
const LEASE_SECONDS = 10;

interface Row extends Record<string, unknown> {
  account_id: string;
  wallet_id: string;
  network: string;
  address: `0x${string}`;
  next: string;
  fence: number;
  status: Lane["wallet"]["status"];
  sealed_key: Buffer;
  kek_id: string;
  heard: boolean;
  open: StoredOpen[];
}

/** Takes lanes of these chains in which there is something to do. */
export async function claimLanes(db: Db, networks: readonly string[], limit: number): Promise<Claim[]> {
  const rows = await db.execute<Row>(
    sql`select * from claim_lanes(${sql.param(networks)}::text[], ${limit}, ${LEASE_SECONDS})`,
  );
  return rows.map(({ open, ...row }) => ({
    lane: {
      accountId: idOf("account", row.account_id),
      walletId: idOf("wallet", row.wallet_id),
      network: row.network,
      address: row.address,
      next: Number(row.next),
      fence: row.fence,
      heard: row.heard,
      wallet: { status: row.status, sealedKey: row.sealed_key, kekId: row.kek_id },
    },
    open: open.map(toOpen),
  }));
}

/**
 * Takes the lane of a row that is being written down, as a statement of a batch. Answers what `claimOf` makes a
 * claim of; null where somebody has the lane, or there is more to do in it.
 */
export function takenLane({ accountId, walletId, network }: TransactionRow): SQL {
  return sql`take_lane(${uuidOf("account", accountId)}, ${uuidOf("wallet", walletId)}, ${network}, ${LEASE_SECONDS})`;
}

/** A lane that `takenLane` took, with the row that is all there is to do in it. */
export function claimOf(row: TransactionRow, taken: Taken, heard: boolean): Claim {
  const { accountId, walletId, network } = row;
  const { next, fence, sealedKey, kekId } = taken;
  const wallet = { status: "active", sealedKey: Buffer.from(sealedKey, "base64"), kekId } as const;
  const address = row.from as Lane["address"];
  return {
    lane: { accountId, walletId, network, address, next, fence, heard, wallet },
    open: [{ row, tries: [] }],
  };
}

/** What `take_lane` answers. */
export interface Taken {
  next: number;
  fence: number;
  sealedKey: string;
  kekId: string;
}

/** Locks a lane until the transaction ends, so that nobody else signs meanwhile; throws where it is another's by now. */
export async function holdLane(tx: Transaction, lane: Lane): Promise<void> {
  const [row] = await tx.execute<{ held: boolean }>(
    sql`select hold_lanes(${JSON.stringify([storedLane(lane)])}::jsonb) as held`,
  );
  if (!row?.held) throw new LaneLost();
}

/** A lane that is given back, and after how many milliseconds there is something to do in it; null: when something new comes. */
export interface Release {
  lane: Lane;
  dueInMs: number | null;
}

/** Gives lanes back; what another worker has claimed meanwhile is left alone. A crash takes it back until the leases end. */
export async function releaseLanes(db: Db, releases: readonly Release[]): Promise<void> {
  const lanes = releases.map((release) => storedLane(release.lane, release));
  await db.execute(
    sql`select set_config('synchronous_commit', 'off', true), hold_lanes(${JSON.stringify(lanes)}::jsonb)`,
  );
}

/** A lane as `hold_lanes` takes it; with a release, it is given back. */
export function storedLane(lane: Lane, release?: Pick<Release, "dueInMs">) {
  const { accountId, walletId, network, fence, next } = lane;
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
