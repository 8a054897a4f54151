import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { wallets } from "#db/schema/wallets.ts";
import { uuidOf } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { notFound } from "#server/operation/errors.ts";
import { visible } from "#server/operation/tenancy.ts";
import { platform } from "#server/platform.ts";
import type { PolicyRules } from "./policy/schema.ts";
import type { Wallet } from "./schema.ts";

/** A wallet with the external id of its end user. */
export type WalletRow = Omit<typeof wallets.$inferSelect, "address" | "policy"> & {
  address: `0x${string}`;
  policy: PolicyRules;
  endUser: string | null;
};

/** Selects wallets in the form that `toWallet` and `signerOf` take. */
export function selectWallets(db: Db | Transaction) {
  const { address, policy, ...columns } = getTableColumns(wallets);
  return db
    .select({
      ...columns,
      // `createWallet` and `updatePolicy` have validated both columns.
      address: sql<`0x${string}`>`${address}`,
      policy: sql<PolicyRules>`${policy}`,
      endUser: endUsers.externalId,
    })
    .from(wallets)
    .leftJoin(endUsers, and(eq(endUsers.accountId, wallets.accountId), eq(endUsers.id, wallets.endUserId)));
}

/** Returns the wallet, if the caller sees it. A malformed id is reported like a missing one. */
export async function readWallet(db: Db | Transaction, caller: Caller, walletId: string): Promise<WalletRow> {
  const mine = and(visible(wallets, caller), eq(wallets.id, walletId));
  const [row] = uuidOf("wallet", walletId) === null ? [] : await selectWallets(db).where(mine);
  if (!row) throw notFound("wallet", walletId);
  return row;
}

/** Locks a wallet until the transaction ends: no other one changes its policy or uses its limits. */
export async function lockWallet(
  tx: Transaction,
  { accountId, id }: Pick<WalletRow, "accountId" | "id">,
): Promise<void> {
  await tx.execute(sql`select ${lockedWallet({ accountId, id })}`);
}

/** Returns `lockWallet` as a statement of a batch; its result is the version of the policy. */
export function lockedWallet({ accountId, id }: Pick<WalletRow, "accountId" | "id">): SQL {
  return sql`lock_wallet(${uuidOf("account", accountId)}, ${uuidOf("wallet", id)})`;
}

/** Returns a wallet as the API shows it. */
export function toWallet(row: WalletRow): z.input<typeof Wallet> {
  return {
    id: row.id,
    label: row.label,
    address: row.address,
    family: "evm",
    networks: platform().chains.all.map(({ network }) => network),
    status: row.status,
    policy: { version: row.policyVersion, ...row.policy },
    projectId: row.projectId,
    endUser: row.endUser,
    createdAt: row.createdAt.toISOString(),
  };
}
