import { sql } from "drizzle-orm";
import { z } from "zod";
import { afterCommit, type Db } from "#db/client.ts";
import { chainNamed } from "#server/chains/call-chain.ts";
import { type Charge, type Refusal, refusedCharge } from "#server/credits/charge.ts";
import { heldCredits } from "#server/credits/hold-credits.ts";
import { emittedEvent, publishEvent } from "#server/events/emit-event.ts";
import { newId, uuidOf } from "#server/ids.ts";
import { initiatorOf } from "#server/members/initiator.ts";
import { selectorsOf } from "#server/operation/access.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import { type Commit, operation, type RequestFacts } from "#server/operation/operation.ts";
import { refusalOf, runBatch } from "#server/operation/statement-batch.ts";
import { platform } from "#server/platform.ts";
import { quoteSpent, takenQuote } from "#server/quotes/queries.ts";
import { PRICE_VERSION, priceOf } from "#server/services/prices.ts";
import { beyondCap, type CapRefusal, reservedCap } from "../caps.ts";
import { decodeCall } from "../effects.ts";
import {
  enqueuedTransaction,
  referenceTaken,
  type TransactionToSend,
  transactionRow,
} from "../enqueue-transaction.ts";
import { askForApproval } from "../executions/execution.ts";
import { type Balances, feesOfSpends, reservedFunds, type Spend, withBalances } from "../funds.ts";
import { judgeBy } from "../judge.ts";
import { withFeeRefusal } from "../network-fees.ts";
import { lockedWallet } from "../queries.ts";
import { WalletParams } from "../schema.ts";
import { approvalPayload, sendExecution } from "./execution.ts";
import { claimOf, type Taken, takenLane } from "./lanes.ts";
import { eventOf, type TransactionRow, toTransaction } from "./move-transaction.ts";
import { readSend } from "./read-send.ts";
import { CreateTransaction, Transaction as WireTransaction } from "./schema.ts";
import { senderKey } from "./sender-state.ts";

/** What is held outlives the longest wait for people by this. */
const HOLD_SECONDS = 8 * 86_400;
/** How often it is judged anew where the policy changes meanwhile. */
const MOST_TRIES = 5;

export const createTransaction = operation({
  id: "wallets.transactions.create",
  method: "POST",
  path: "/wallets/{walletId}/transactions",
  summary: "Send what was quoted",
  description:
    "Executes a quote, exactly once, whatever breaks off. The policy is judged again now; where it asks for an approval, the transaction waits for that and is judged once more. Its credits are held now and charged when the chain has taken it; what is never sent costs nothing.",
  scope: "wallets:transact",
  service: "managed-wallets",
  metered: true,
  stepUp: true,
  idempotent: true,
  movesMoney: true,
  external: "reads",
  params: WalletParams,
  body: CreateTransaction,
  output: z.object({ transaction: WireTransaction }),
  status: 202,
  errors: [
    "not_found",
    "quote_expired",
    "state_conflict",
    "policy_denied",
    "already_exists",
    "insufficient_credits",
    "service_unavailable",
  ],

  async handler(context) {
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt(context);
      } catch (reason) {
        // The policy has changed since it was read: it is judged by what stands now.
        if (refusalOf(reason)?.statement !== "policy" || tries === MOST_TRIES) throw reason;
      }
    }
  },
});

interface Context {
  params: { walletId: string };
  body: z.output<typeof CreateTransaction>;
  caller: Caller;
  request: Pick<RequestFacts, "id">;
  db: Db;
  commit: Commit<Output>;
}

interface Output extends Record<string, unknown> {
  transaction: z.input<typeof WireTransaction>;
}

/** Judges the send by what is read, and commits it if the policy is still the one that was judged by. */
async function attempt({ params, body, caller, request, db, commit }: Context): Promise<Output> {
  const { walletId } = params;
  const { wallet, plan, facts } = await readSend(db, { caller, walletId, quoteId: body.quoteId });
  const chain = chainNamed(plan.network, "body.quoteId");
  const call = { ...plan.call, value: BigInt(plan.call.value), gas: BigInt(plan.call.gas) };
  const { effects } = decodeCall({ chain, from: wallet.address, ...call });
  const judged = judgeBy(facts, { network: chain.network, effects, fees: feesOfSpends(plan.spends) });
  if (judged.decision === "deny") throw new ApiError("policy_denied", judged.reasons.join(" "));
  const { credits } = priceOf("managed-wallets", "wallets.transactions.create");
  const { spends } = plan;
  const draft: Omit<TransactionToSend, "spends"> = {
    id: newId("transaction"),
    wallet,
    chain,
    call,
    quoteId: body.quoteId,
    to: plan.to,
    asset: plan.asset,
    amount: plan.amount,
    data: plan.data ?? null,
    clientReference: body.clientReference ?? null,
    heldCredits: credits,
    initiator: { ...initiatorOf(caller), requestId: request.id },
  };
  const charge: Charge = {
    caller,
    credits,
    selectors: selectorsOf(createTransaction, {}),
    requestId: request.id,
    description: "Wallet transaction",
    priceVersion: PRICE_VERSION,
  };
  const { endUser } = wallet;
  const { version } = facts;
  const agreed = { charge, endUser, version, valueUsd: judged.valueUsd, spends };
  const answered = (row: TransactionRow) => ({ transaction: toTransaction(row, endUser) });
  const row = transactionRow(draft);
  const carryOut = async (balances: Balances) => {
    const terms: Terms = { ...agreed, balances };
    if (judged.decision === "approval")
      return await commit(async (tx) => {
        const asked = transactionRow({
          ...draft,
          approvalId: await askForApproval(tx, sendExecution, {
            caller,
            wallet,
            id: row.id,
            judged,
            payload: approvalPayload(row),
          }),
        });
        const { event } = await runBatch(tx, batchOf(asked, terms));
        afterCommit(tx, () => publishEvent(eventOf(asked, endUser), event === true));
        return answered(asked);
      });
    const output = answered(row);
    const { wakeUps } = platform();
    const worker = wakeUps.inProcess("transactions");
    const reserved = worker?.reserve(senderKey(row.network, row.from)) ?? false;
    const { event, lane } = await commit.batch(output, batchOf(row, terms, reserved));
    publishEvent(eventOf(row, endUser), event === true);
    if (lane) worker?.begin(claimOf(row, lane as Taken, event === true));
    else wakeUps.send("transactions");
    return output;
  };
  try {
    const { address } = wallet;
    return await withBalances(
      db,
      { kind: "transaction", chain, address, spends, known: plan.balances },
      carryOut,
    );
  } catch (reason) {
    throw await explain(db, reason, { row, caller, ...agreed });
  }
}

interface Terms {
  charge: Charge;
  /** Of the policy that it was judged by. */
  version: number;
  valueUsd: string | null;
  endUser: string | null;
  spends: readonly Spend[];
  balances: Balances;
}

/**
 * What makes a send of a quote, all or nothing; `taken` with its lane, for an engine that begins at once. The credits come
 * last, since all calls of the account wait for its book.
 */
function batchOf(row: TransactionRow, terms: Terms, taken = false) {
  const { charge, valueUsd, version, endUser, spends, balances } = terms;
  const { accountId, id, walletId, quoteId } = row;
  const wallet = { accountId, id: walletId };
  const owner = { type: "transaction", id } as const;
  const hold = uuidOf("transaction", id) as string;
  return {
    quote: sql`refuse_unless('quote', ${takenQuote({ accountId, id: quoteId as string }, id)})`,
    policy: sql`refuse_unless('policy', ${lockedWallet(wallet)} = ${version})`,
    reference: sql`refuse_unless('reference', ${enqueuedTransaction(row)})`,
    cap: sql`refuse_if('cap', ${reservedCap({ wallet, subject: id, valueUsd })})`,
    funds: sql`refuse_if('funds', ${reservedFunds({ wallet, network: row.network, owner, spends, balances })})`,
    event: emittedEvent(eventOf(row, endUser)),
    lane: taken ? takenLane(row) : sql`null`,
    credits: sql`refuse_if('credits', ${heldCredits(hold, charge, HOLD_SECONDS)})`,
  };
}

/** Returns the error for the statement that was refused. */
async function explain(
  db: Db,
  reason: unknown,
  {
    row,
    caller,
    charge,
    valueUsd,
  }: Pick<Terms, "charge" | "valueUsd"> & { row: TransactionRow; caller: Caller },
): Promise<unknown> {
  const refusal = refusalOf(reason);
  switch (refusal?.statement) {
    case "quote":
      return quoteSpent(db, { caller, quoteId: row.quoteId as string, kind: "transaction" });
    case "reference":
      return referenceTaken(db, row);
    case "cap":
      return beyondCap({ valueUsd }, refusal.details as unknown as CapRefusal);
    case "credits":
      return refusedCharge(refusal.details as unknown as Refusal, charge);
    default:
      return withFeeRefusal(reason);
  }
}
