import { and, type SQL, sql } from "drizzle-orm";
import { type Address, type GetBlockReturnType, getAbiItem, getAddress, type Hex } from "viem";
import type { Db } from "#db/client.ts";
import { notFrozen } from "#db/frozen.ts";
import type { walletTransactions } from "#db/schema/transactions.ts";
import { wallets } from "#db/schema/wallets.ts";
import { defined } from "#server/base/defined.ts";
import { newId } from "#server/base/ids.ts";
import { fromUnits } from "#server/chains/amounts.ts";
import { erc20Abi } from "#server/providers/chain/abi.ts";
import type { Chain } from "#server/providers/chain/chains.ts";

/** A block with its transactions. */
export type Block = GetBlockReturnType<undefined, true, "latest">;
export type NewDeposit = typeof walletTransactions.$inferInsert;

/** Something that an address received. */
interface Transfer {
  from: Address;
  to: Address;
  asset: "native" | Address;
  units: bigint;
  hash: Hex;
  /** -1 for the native asset. */
  logIndex: number;
  block: Block;
}

const transferEvent = getAbiItem({ abi: erc20Abi, name: "Transfer" });

/**
 * Finds deposits to managed wallets in these blocks: the native asset as a transaction's value, and the chain's listed
 * tokens. Amounts that a wallet's own transaction brings it, as in a swap, are no deposits.
 */
export async function findDeposits(db: Db, chain: Chain, blocks: readonly Block[]): Promise<NewDeposit[]> {
  const transfers = [...blocks.flatMap(nativeTransfers), ...(await tokenTransfers(chain, blocks))];
  const owners = await ownersOf(db, new Set(transfers.map(({ to }) => to)));
  const ours = transfers.filter(({ to }) => owners.has(to));
  const carriedOut = await Promise.all(ours.map((transfer) => wasCarriedOut(chain, transfer)));
  return ours
    .filter((_, index) => carriedOut[index])
    .map((transfer) => toRow(chain, transfer, defined(owners.get(transfer.to))));
}

function nativeTransfers(block: Block): Transfer[] {
  return block.transactions.flatMap(({ from, to, value, hash }) => {
    if (to === null || value === 0n || from === to) return [];
    const ends = { from: getAddress(from), to: getAddress(to) };
    return [{ ...ends, asset: "native" as const, units: value, hash, logIndex: -1, block }];
  });
}

async function tokenTransfers({ client, tokens }: Chain, blocks: readonly Block[]): Promise<Transfer[]> {
  const listed = tokens.flatMap(({ asset }) => (asset === "native" ? [] : [asset]));
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (listed.length === 0 || !first || !last) return [];
  const logs = await client.getLogs({
    address: listed,
    event: transferEvent,
    strict: true,
    fromBlock: first.number,
    toBlock: last.number,
  });
  const byHash = new Map(blocks.map((block) => [block.hash, block]));
  const senders = new Map(
    blocks.flatMap(({ transactions }) => transactions.map(({ hash, from }) => [hash, getAddress(from)])),
  );
  return logs.flatMap(({ address, args, blockHash, transactionHash: hash, logIndex }) => {
    const block = byHash.get(blockHash);
    // The chain was reorganised between the two questions; the next look begins anew.
    if (!block) throw new Error(`Block ${blockHash} is no longer on ${first.number} to ${last.number}.`);
    if (args.value === 0n || senders.get(hash) === args.to) return [];
    const { from, to, value: units } = args;
    return [{ from, to, asset: getAddress(address), units, hash, logIndex, block }];
  });
}

type Owner = Pick<typeof wallets.$inferSelect, "accountId" | "id" | "projectId" | "endUserId">;

async function ownersOf(db: Db, addresses: ReadonlySet<Address>): Promise<Map<string, Owner>> {
  if (addresses.size === 0) return new Map();
  const among: SQL = sql`${wallets.address} = any(${sql.param([...addresses])}::text[])`;
  const { accountId, id, projectId, endUserId, address } = wallets;
  const rows = await db
    .select({ accountId, id, projectId, endUserId, address })
    .from(wallets)
    .where(and(among, notFrozen(accountId)));
  return new Map(rows.map((row) => [row.address, row]));
}

/** Logs are of transactions that were; a native transfer may have been reverted. */
async function wasCarriedOut({ client }: Chain, { asset, hash }: Transfer): Promise<boolean> {
  if (asset !== "native") return true;
  return (await client.getTransactionReceipt({ hash })).status === "success";
}

function toRow({ network, tokens }: Chain, transfer: Transfer, owner: Owner): NewDeposit {
  const { from, to, asset, units, hash, logIndex, block } = transfer;
  const decimals = tokens.find((token) => token.asset === asset)?.decimals ?? 18;
  const { id: walletId, ...assignment } = owner;
  return {
    ...assignment,
    id: newId("transaction"),
    walletId,
    network,
    direction: "in",
    status: "broadcast",
    from,
    to,
    asset,
    amount: fromUnits(units, decimals),
    hash,
    logIndex,
    blockNumber: Number(block.number),
    blockHash: block.hash,
    broadcastAt: new Date(Number(block.timestamp) * 1000),
  };
}
