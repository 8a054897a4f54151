import { type SQL, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import type { wallets } from "#db/schema/wallets.ts";
import { idOf, uuidOf } from "#server/ids.ts";

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
  /** Whether something waited to be signed when it was claimed. */
  waits: boolean;
  /** What it is signed by, as it was then. */
  wallet: Pick<typeof wallets.$inferSelect, "status" | "sealedKey" | "kekId">;
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
  status: Lane["wallet"]["status"];
  sealed_key: Buffer;
  kek_id: string;
  waits: boolean;
}

// What a crash of the database takes back of these commits, the leases' ends and the next look make good.
const UNSYNCED = sql`set_config('synchronous_commit', 'off', true)`;

/** Takes lanes of these chains in which there is something to do. */
export async function claimLanes(db: Db, networks: readonly string[], limit: number): Promise<Lane[]> {
  const rows = await db.execute<Row>(sql`
    update wallet_nonces n
    set lease_until = clock_timestamp() + ${LEASE_SECONDS} * interval '1 second', due_at = null,
      fence = floor(random() * 2147483647)::int
    from (
      select account_id, wallet_id, network from wallet_nonces
      where network = any(${sql.param(networks)}::text[])
        and (due_at <= now() and lease_until is null or lease_until < now())
      order by due_at limit ${limit} for update skip locked
    ) due
    join wallets w on (w.account_id, w.id) = (due.account_id, due.wallet_id)
    where (n.account_id, n.wallet_id, n.network) = (due.account_id, due.wallet_id, due.network)
    returning n.account_id, n.wallet_id, n.network, n.address, n.next, n.fence, w.status, w.sealed_key, w.kek_id,
      exists (select from wallet_transactions t where t.account_id = n.account_id and t.wallet_id = n.wallet_id
        and t.network = n.network and t.direction = 'out' and t.status = 'reserved') as waits, ${UNSYNCED}`);
  return rows.map((row) => ({
    accountId: idOf("account", row.account_id),
    walletId: idOf("wallet", row.wallet_id),
    network: row.network,
    address: row.address,
    next: Number(row.next),
    fence: row.fence,
    waits: row.waits,
    wallet: { status: row.status, sealedKey: row.sealed_key, kekId: row.kek_id },
  }));
}

/** Locks lanes until the transaction ends, so that nobody else signs meanwhile; throws where one is another's by now. */
export async function holdLanes(tx: Transaction, lanes: readonly Lane[]): Promise<void> {
  const rows = await tx.execute(sql`
    update wallet_nonces n
    set next = h.next, lease_until = clock_timestamp() + ${LEASE_SECONDS} * interval '1 second'
    from ${listOf(lanes)} where ${HELD}
    returning n.next`);
  if (rows.length < lanes.length) throw new LaneLost();
}

/** A lane that is given back, and after how many milliseconds there is something to do in it; null: when something new comes. */
export interface Release {
  lane: Lane;
  dueInMs: number | null;
}

/** Gives lanes back; what another worker has claimed meanwhile is left alone. */
export async function releaseLanes(db: Db, releases: readonly Release[]): Promise<void> {
  const lanes = releases.map(({ lane, dueInMs }) => ({ ...lane, dueInMs }));
  // `least` of a time and null is the time: something new may have come during the turn.
  await db.execute(sql`
    update wallet_nonces n
    set lease_until = null, due_at = least(n.due_at, clock_timestamp() + h.due * interval '1 millisecond')
    from ${listOf(lanes)} where ${HELD}
    returning ${UNSYNCED}`);
}

/** Lanes as rows of a statement. */
function listOf(lanes: readonly (Lane & { dueInMs?: number | null })[]): SQL {
  const rows = lanes.map(({ accountId, walletId, network, fence, next, dueInMs }) => ({
    ...{ account: uuidOf("account", accountId), wallet: uuidOf("wallet", walletId) },
    ...{ network, fence, next, due: dueInMs },
  }));
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as h(account uuid, wallet uuid, network text, fence int, next bigint, due float8)`;
}

const HELD = sql`n.account_id = h.account and n.wallet_id = h.wallet and n.network = h.network and n.fence = h.fence`;
