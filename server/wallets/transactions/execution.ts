import { and, eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { fundReservations } from "#db/schema/funds.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { chainNamed } from "#server/chains/call-chain.ts";
import { uuidOf } from "#server/ids.ts";
import { decodeCall } from "../effects.ts";
import type { ExecutionKind } from "../executions/kind.ts";
import { judgeBy } from "../judge.ts";
import { moveTransaction, type TransactionRow } from "./move-transaction.ts";
import { callOf } from "./precheck.ts";

export const sendExecution: ExecutionKind<TransactionRow> = {
  kind: "transaction",
  serviceId: "managed-wallets",
  scope: "wallets:transact",
  approvedOperation: "transactions.create",
  table: walletTransactions,

  async renew(db, row) {
    const { accountId, walletId, network, from: address } = row;
    const chain = chainNamed(network, "network");
    const { account: from, ...call } = callOf(row);
    const { effects } = decodeCall({ chain, from, ...call });
    const fees = await readReservedFee(db, row);
    return {
      network,
      judge: (facts) => judgeBy(facts, { network, effects, fees }),
      approvalPayload: approvalPayload(row),
      sender: { accountId, walletId, network, address },
      carryOut: (tx, locked) => moveTransaction(tx, locked, { status: "reserved" }),
    };
  },

  end: (tx, row, end) =>
    moveTransaction(
      tx,
      row,
      end.type === "failed" ? { status: "failed", failure: end.failure } : { status: end.type },
    ),
};

/** Returns the most that the network may take for it, as was reserved. */
async function readReservedFee(db: Db, { accountId, id }: TransactionRow): Promise<string[]> {
  const rows = await db
    .select({ fee: fundReservations.fee })
    .from(fundReservations)
    .where(
      and(
        eq(fundReservations.accountId, accountId),
        eq(fundReservations.ownerId, uuidOf("transaction", id) as string),
        eq(fundReservations.asset, "native"),
      ),
    );
  return rows.map(({ fee }) => fee);
}

type Approvable = Pick<TransactionRow, "walletId" | "network" | "to" | "asset" | "amount" | "data">;

/** What people approve: exactly this, of this transaction. */
export function approvalPayload({ walletId, network, to, asset, amount, data }: Approvable) {
  return { walletId, network, to, asset, amount, data };
}
