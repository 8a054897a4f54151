import { sql } from "drizzle-orm";
import { type Address, getAbiItem, getAddress, type Hex } from "viem";
import type { Db, Transaction } from "#db/client.ts";
import { notFrozen } from "#db/frozen.ts";
import { idOf } from "#server/base/ids.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { signedTransferAbi } from "#server/providers/chain/abi.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import type { Block } from "./find-deposits.ts";

/** A signed transfer (EIP-3009) whose nonce a block has used or cancelled. */
interface UsedAuthorization {
  asset: Address;
  address: Address;
  nonce: Hex;
  block: number;
}

const EVENTS = (["AuthorizationUsed", "AuthorizationCanceled"] as const).map((name) =>
  getAbiItem({ abi: signedTransferAbi, name }),
);

/** Returns the authorizations that these blocks use or cancel; asks no node while none is open on the chain. */
export async function findUsedAuthorizations(
  db: Db,
  { client, network, tokens }: Chain,
  blocks: readonly Block[],
): Promise<UsedAuthorization[]> {
  const [row] = await db.execute<{ open: boolean }>(sql`select exists (select from fund_reservations
    where network = ${network} and nonce is not null and released_block is null and is_spendable(expires_at)) as open`);
  const [first, last] = [blocks[0], blocks.at(-1)];
  const listed = tokens.flatMap(({ asset }) => (asset === "native" ? [] : [asset]));
  if (!row?.open || listed.length === 0 || !first || !last) return [];
  const logs = await client.getLogs({
    address: listed,
    events: EVENTS,
    strict: true,
    fromBlock: first.number,
    toBlock: last.number,
  });
  const hashes = new Set(blocks.map(({ hash }) => hash));
  return logs.map(({ address, args, blockHash, blockNumber }) => {
    if (!hashes.has(blockHash)) throw new Error(`Block ${blockHash} is no longer on ${network}.`);
    return {
      asset: getAddress(address),
      address: getAddress(args.authorizer),
      nonce: args.nonce,
      block: Number(blockNumber),
    };
  });
}

/** Releases the reservations of authorizations that blocks have used or cancelled. */
export async function releaseAuthorizations(
  tx: Transaction,
  network: string,
  used: readonly UsedAuthorization[],
): Promise<void> {
  const released = await tx.execute<{ account: string }>(sql`
    update fund_reservations r set released_at = clock_timestamp(), released_block = u.block
    from jsonb_to_recordset(${JSON.stringify(used)}::jsonb) as u(asset text, address text, nonce text, block int)
      join wallets w on w.address = u.address
    where r.account_id = w.account_id and r.wallet_id = w.id and r.network = ${network} and r.asset = u.asset
      and r.nonce = u.nonce and r.released_block is null and ${notFrozen(sql`r.account_id`)}
    returning r.account_id as account`);
  for (const { account } of released) publishChange(tx, idOf("account", account), "wallets");
}

/** Restores the reservations that were released for blocks above this one, which the chain no longer has. */
export async function reserveAuthorizationsAgain(
  tx: Transaction,
  network: string,
  common: number,
): Promise<void> {
  await tx.execute(sql`update fund_reservations set released_at = null, released_block = null
    where network = ${network} and nonce is not null and released_block > ${common}`);
}
