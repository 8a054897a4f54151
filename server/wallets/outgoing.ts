import { and, eq, sql } from "drizzle-orm";
import type { Address, Hex } from "viem";
import type { Transaction } from "#db/client.ts";
import { walletNonces, walletTransactions } from "#db/schema/transactions.ts";
import type { wallets } from "#db/schema/wallets.ts";
import { newId } from "#server/ids.ts";
import { ApiError } from "#server/operation/errors.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { announceTransaction, type TransactionRow } from "./transactions/move-transaction.ts";

type NewTransaction = typeof walletTransactions.$inferInsert;

/** What a wallet is to send. */
export interface Outgoing extends Pick<NewTransaction, "callerType" | "callerId" | "keyIds" | "requestId"> {
  /** Where it must be known before; by default a new one. */
  id?: string;
  wallet: Pick<typeof wallets.$inferSelect, "accountId" | "id" | "projectId" | "endUserId" | "address">;
  chain: Pick<Chain, "network">;
  /** What is signed. Without `gas` it is estimated before signing. */
  call: { to: Address; value: bigint; data: Hex; gas?: bigint };
  /** What it moves, as the wire shows it: an address, `native` or a token's address, and whole units. */
  to: string;
  asset: string;
  amount: string;
  /** The calldata that somebody asked for; null where the platform made it. */
  data?: Hex | null;
  quoteId?: string | null;
  clientReference?: string | null;
  /** What goes on once it has ended: `advanceSwap` or `advanceOrder` with this id. */
  source?: { type: "swap" | "order"; id: string } | null;
  /** Set where it waits for people: then nothing is signed before the approval lets it. */
  approvalId?: string | null;
  /** Credits that are held under the UUID of its id; charged when it is broadcast, given back if it never is. */
  heldCredits?: number;
  /** Not signed by then, it ends as `expired`. */
  expiresAt?: Date | null;
}

/**
 * Writes down what a wallet is to send, in the transaction of whatever causes it; it is signed and sent as soon as that
 * is committed. `platform().hints.send("transactions")` after the commit saves it the wait for the next poll.
 */
export async function enqueueOutgoing(tx: Transaction, outgoing: Outgoing): Promise<TransactionRow> {
  const { wallet, chain, call, source, approvalId = null } = outgoing;
  const { callerType, callerId, keyIds, requestId } = outgoing;
  const { accountId, projectId, endUserId } = wallet;
  const [[row]] = await Promise.all([
    tx
      .insert(walletTransactions)
      .values({
        ...{ accountId, projectId, endUserId, callerType, callerId, keyIds, requestId, approvalId },
        id: outgoing.id ?? newId("transaction"),
        walletId: wallet.id,
        network: chain.network,
        direction: "out",
        status: approvalId ? "awaiting_approval" : "reserved",
        from: wallet.address,
        to: outgoing.to,
        asset: outgoing.asset,
        amount: outgoing.amount,
        data: outgoing.data ?? null,
        callTo: call.to,
        callValue: String(call.value),
        callData: call.data,
        gas: call.gas ?? null,
        quoteId: outgoing.quoteId ?? null,
        clientReference: outgoing.clientReference ?? null,
        sourceType: source?.type ?? null,
        sourceId: source?.id ?? null,
        heldCredits: outgoing.heldCredits ?? 0,
        expiresAt: outgoing.expiresAt ?? null,
      })
      .onConflictDoNothing({
        target: [
          walletTransactions.accountId,
          walletTransactions.walletId,
          walletTransactions.clientReference,
        ],
        where: sql`client_reference is not null`,
      })
      .returning(),
    approvalId
      ? undefined
      : makeDue(tx, { accountId, walletId: wallet.id, network: chain.network, address: wallet.address }),
  ]);
  if (!row) throw await taken(tx, outgoing);
  await announceTransaction(tx, row);
  return row;
}

/** Names the transaction that has the reference already, whichever key gave it. */
async function taken(tx: Transaction, { wallet, clientReference }: Outgoing): Promise<ApiError> {
  const [first] = await tx
    .select({ id: walletTransactions.id })
    .from(walletTransactions)
    .where(
      and(
        eq(walletTransactions.accountId, wallet.accountId),
        eq(walletTransactions.walletId, wallet.id),
        eq(walletTransactions.clientReference, clientReference as string),
      ),
    );
  return new ApiError(
    "already_exists",
    `Transaction ${first?.id} of this wallet has clientReference ${JSON.stringify(clientReference)} already.`,
  );
}

/** Has somebody look after what a wallet sends on a chain, as soon as this is committed. */
export async function makeDue(
  tx: Transaction,
  lane: Pick<typeof walletNonces.$inferInsert, "accountId" | "walletId" | "network" | "address">,
): Promise<void> {
  await tx
    .insert(walletNonces)
    .values({ ...lane, dueAt: sql`clock_timestamp()` })
    .onConflictDoUpdate({
      target: [walletNonces.accountId, walletNonces.walletId, walletNonces.network],
      set: { dueAt: sql`clock_timestamp()` },
    });
}
