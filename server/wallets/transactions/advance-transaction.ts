import { and, eq } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { chainNamed } from "#server/chains/call-chain.ts";
import type { Caller } from "#server/operation/caller.ts";
import { platform } from "#server/platform.ts";
import { type Failure, readDecision, useApproval } from "../approved.ts";
import { decodeCall } from "../effects.ts";
import { judge } from "../judge.ts";
import { approvalPayload } from "./create-transaction.ts";
import { moveTransaction, type TransactionRow } from "./move-transaction.ts";
import { callOf } from "./precheck.ts";

/**
 * Goes on with a transaction whose approval was decided or has expired. Approved, it is judged once more as it is then:
 * whoever asked must still be allowed to, and the policy may deny what it left to people before.
 */
export async function advanceTransaction(
  db: Db,
  { accountId, id }: { accountId: string; id: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx
      .select()
      .from(walletTransactions)
      .where(and(eq(walletTransactions.accountId, accountId), eq(walletTransactions.id, id)))
      .for("update");
    if (row?.status !== "awaiting_approval") return;
    const decided = await readDecision(tx, row, "wallets:transact");
    if (decided.type === "waiting") return;
    if (decided.type === "rejected" || decided.type === "expired")
      return void (await moveTransaction(tx, row, { status: decided.type }));
    const failure = decided.type === "failed" ? decided.failure : await goOn(tx, row, decided.caller);
    await moveTransaction(tx, row, failure ? { status: "failed", failure } : { status: "reserved" });
  });
  platform().wakeUps.send("transactions");
}

function goOn(tx: Transaction, row: TransactionRow, caller: Caller): Promise<Failure | null> {
  const { accountId, id, walletId, network, from: address } = row;
  const wallet = { accountId, id: walletId };
  const chain = chainNamed(network, "network");
  const { account: from, ...call } = callOf(row);
  const { effects } = decodeCall({ chain, from, ...call });
  return useApproval(tx, {
    wallet,
    subject: id,
    lane: { accountId, walletId, network, address },
    judge: () => judge(tx, { wallet, network, effects, subject: id }),
    use: {
      caller,
      approvalId: row.approvalId as string,
      kind: "transaction",
      serviceId: "managed-wallets",
      subject: { operationId: "transactions.create", id },
      payload: approvalPayload(row),
    },
  });
}
