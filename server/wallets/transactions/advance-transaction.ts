import { and, eq } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { consumeApproval, readApproval } from "#server/approvals/queries.ts";
import { chainNamed } from "#server/chains/call-chain.ts";
import { readInitiator } from "#server/members/initiator.ts";
import { ApiError } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import { reserveCap } from "../caps.ts";
import { decodeCall } from "../effects.ts";
import { judge } from "../judge.ts";
import { lockLane } from "../outgoing.ts";
import { approvalPayload } from "./create-transaction.ts";
import { moveTransaction, type TransactionRow } from "./move-transaction.ts";
import { callOf, type Failure } from "./precheck.ts";

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
    const { caller, refusal } = await readInitiator(tx, row, "wallets:transact");
    if (!caller) {
      const message = `Who created it may not send any more (${refusal}).`;
      return void (await moveTransaction(tx, row, { status: "failed", failure: { code: refusal, message } }));
    }
    const approval = await readApproval(tx, { caller, approvalId: row.approvalId as string });
    if (approval?.status === "rejected") return void (await moveTransaction(tx, row, { status: "rejected" }));
    if (approval?.status === "expired") return void (await moveTransaction(tx, row, { status: "expired" }));
    if (approval?.status !== "approved") return;
    const failure = await judgeAgain(tx, row);
    if (failure) return void (await moveTransaction(tx, row, { status: "failed", failure }));
    await consumeApproval(tx, {
      ...{ caller, approvalId: approval.id, kind: "transaction", serviceId: "managed-wallets" },
      subject: { operationId: "transactions.create", id },
      payload: approvalPayload(row),
    });
    const { walletId, network, from: address } = row;
    await lockLane(tx, { accountId, walletId, network, address });
    await moveTransaction(tx, row, { status: "reserved" });
  });
  platform().hints.send("transactions");
}

/** Why the policy does not let it happen now, if it does not. */
async function judgeAgain(tx: Transaction, row: TransactionRow): Promise<Failure | null> {
  const wallet = { accountId: row.accountId, id: row.walletId };
  const chain = chainNamed(row.network, "network");
  const { account: from, ...call } = callOf(row);
  const { effects } = decodeCall({ chain, from, ...call });
  const { decision, reasons, valueUsd } = await judge(tx, {
    ...{ wallet, network: row.network, effects, subject: row.id },
  });
  if (decision === "deny") return { code: "policy_denied", message: reasons.join(" ") };
  try {
    await reserveCap(tx, { wallet, subject: row.id, valueUsd });
    return null;
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, message: error.message };
    throw error;
  }
}
