import { and, eq, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { walletNonces } from "#db/schema/transactions.ts";
import { idOf } from "#server/ids.ts";

/** What one wallet sends on one chain: whoever has claimed it is the only one to sign and send there. */
export interface Lane {
  accountId: string;
  walletId: string;
  network: string;
  address: `0x${string}`;
  /** One past the highest nonce that was ever signed. */
  next: number;
  fence: number;
}

/** Somebody else has claimed the lane: what is not stored yet is his to do. */
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
}

/** Takes lanes of these chains in which there is something to do. */
export async function claimLanes(db: Db, networks: readonly string[], limit: number): Promise<Lane[]> {
  const rows = await db.execute<Row>(sql`
    update wallet_nonces n
    set lease_until = clock_timestamp() + ${LEASE_SECONDS} * interval '1 second', fence = n.fence + 1, due_at = null
    from (
      select account_id, wallet_id, network from wallet_nonces
      where network = any(${sql.param(networks)}::text[])
        and (due_at <= now() and lease_until is null or lease_until < now())
      order by due_at limit ${limit} for update skip locked
    ) due
    where (n.account_id, n.wallet_id, n.network) = (due.account_id, due.wallet_id, due.network)
    returning n.account_id, n.wallet_id, n.network, n.address, n.next, n.fence`);
  return rows.map((row) => ({
    accountId: idOf("account", row.account_id),
    walletId: idOf("wallet", row.wallet_id),
    network: row.network,
    address: row.address,
    next: Number(row.next),
    fence: row.fence,
  }));
}

const held = (lane: Lane) =>
  and(
    eq(walletNonces.accountId, lane.accountId),
    eq(walletNonces.walletId, lane.walletId),
    eq(walletNonces.network, lane.network),
    eq(walletNonces.fence, lane.fence),
  );

/** Locks the lane until the transaction ends, so that nobody else signs meanwhile; throws where it is another's by now. */
export async function holdLane(tx: Transaction, lane: Lane, next = lane.next): Promise<void> {
  const rows = await tx
    .update(walletNonces)
    .set({ next, leaseUntil: sql`clock_timestamp() + ${LEASE_SECONDS} * interval '1 second'` })
    .where(held(lane))
    .returning({ next: walletNonces.next });
  if (rows.length === 0) throw new LaneLost();
}

/** Gives the lane back; it is due after so many milliseconds, or as soon as something new stands in it. */
export async function releaseLane(db: Db, lane: Lane, dueInMs: number | null): Promise<void> {
  const due =
    dueInMs === null
      ? sql`${walletNonces.dueAt}`
      : sql`least(${walletNonces.dueAt}, clock_timestamp() + ${dueInMs} * interval '1 millisecond')`;
  await db.update(walletNonces).set({ leaseUntil: null, dueAt: due }).where(held(lane));
}
