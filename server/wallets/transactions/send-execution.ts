import { and, eq, sql } from "drizzle-orm";
import type { Address, Hex } from "viem";
import type { z } from "zod";
import type { Db } from "#db/client.ts";
import { fundReservations } from "#db/schema/funds.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { toUuid } from "#server/base/ids.ts";
import { chainNamed } from "#server/chains/call-chain.ts";
import { platform } from "#server/platform.ts";
import { decodeCall } from "../decode-call.ts";
import { enqueuedTransaction, transactionRow } from "../enqueue-transaction.ts";
import { type ExecutionKind, endedAs, LONGEST_WAIT_SECONDS, type Recorded } from "../executions/kind.ts";
import { type Balances, feesOfSpends, type Spend } from "../funds.ts";
import { judge } from "../judge.ts";
import { claimedSender, claimOf, type Leased } from "./leased-senders.ts";
import { eventOf, moveTransaction, type TransactionRow, toTransaction } from "./move-transaction.ts";
import { callOf } from "./precheck.ts";
import type { QuoteTransaction, Transaction as WireTransaction } from "./schema.ts";
import { senderKey } from "./sender-state.ts";

/** The part of a send's quote that its execution needs. */
export interface SendPlan extends z.output<typeof QuoteTransaction> {
  call: { to: Address; value: string; data: Hex; gas: string };
  spends: Spend[];
  balances: Balances;
}

interface Output extends Record<string, unknown> {
  transaction: z.input<typeof WireTransaction>;
}

export const sendExecution: ExecutionKind<TransactionRow, SendPlan, Output> = {
  kind: "transaction",
  serviceId: "managed-wallets",
  scope: "wallets:transact",
  operationId: "wallets.transactions.create",
  approvedOperation: "transactions.create",
  charge: "Wallet transaction",
  holdSeconds: LONGEST_WAIT_SECONDS,
  table: walletTransactions,

  open({ wallet, plan }) {
    const { network, to, asset, amount, data = null, spends, balances: known } = plan;
    const { id: walletId, address, endUser } = wallet;
    const chain = chainNamed(network, "body.quoteId");
    const call = { ...plan.call, value: BigInt(plan.call.value), gas: BigInt(plan.call.gas) };
    const { effects } = decodeCall({ chain, from: address, ...call });
    const fees = feesOfSpends(spends);
    return {
      judge: (state) => judge(state, { network, effects, fees }),
      approvalPayload: approvalPayload({ walletId, network, to, asset, amount, data }),
      prepare: async () => ({
        funds: { chain, spends, known },
        record(terms) {
          const row = transactionRow({ ...terms, wallet, chain, call, to, asset, amount, data });
          return {
            output: { transaction: toTransaction(row, endUser) },
            row: { reference: sql`refuse_unless('reference', ${enqueuedTransaction(row)})` },
            events: [eventOf(row, endUser)],
            ...(terms.approvalId === null && handOver(row)),
          };
        },
      }),
    };
  },

  async renew(db, row) {
    const { accountId, walletId, network, from: address } = row;
    const chain = chainNamed(network, "network");
    const { account: from, ...call } = callOf(row);
    const { effects } = decodeCall({ chain, from, ...call });
    const fees = await readReservedFee(db, row);
    return {
      network,
      judge: (state) => judge(state, { network, effects, fees }),
      approvalPayload: approvalPayload(row),
      sender: { accountId, walletId, network, address },
      carryOut: (tx, locked) => moveTransaction(tx, locked, { status: "reserved" }),
    };
  },

  end: (tx, row, end) => moveTransaction(tx, row, endedAs(end, "failed")),
};

/**
 * Hands a transaction that is about to be committed over to the engine: to this process's own if that is idle, so that
 * it begins without a further round trip, otherwise by a wake-up.
 */
function handOver(row: TransactionRow): Pick<Recorded<unknown>, "execution" | "handOver"> {
  const { wakeUps } = platform();
  const engine = wakeUps.inProcess("transactions");
  const reserved = engine?.reserve(senderKey(row.network, row.from)) ?? false;
  return {
    execution: reserved ? { claimed: claimedSender(row) } : undefined,
    handOver({ claimed, event0 }) {
      if (claimed) engine?.begin(claimOf(row, claimed as Leased, event0 === true));
      else wakeUps.send("transactions");
    },
  };
}

/** Returns the reserved network fee of a transaction. */
async function readReservedFee(db: Db, { accountId, id }: TransactionRow): Promise<string[]> {
  const rows = await db
    .select({ fee: fundReservations.fee })
    .from(fundReservations)
    .where(
      and(
        eq(fundReservations.accountId, accountId),
        eq(fundReservations.ownerId, toUuid("transaction", id)),
        eq(fundReservations.asset, "native"),
      ),
    );
  return rows.map(({ fee }) => fee);
}

type Approvable = Pick<TransactionRow, "walletId" | "network" | "to" | "asset" | "amount" | "data">;

/** Returns the payload that people approve: exactly this transaction. */
export function approvalPayload({ walletId, network, to, asset, amount, data }: Approvable) {
  return { walletId, network, to, asset, amount, data };
}
