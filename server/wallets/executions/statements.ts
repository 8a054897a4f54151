import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { idOf, toUuid, uuidOf } from "#server/base/ids.ts";
import { type Charge, type Refusal, refusedCharge } from "#server/credits/charge.ts";
import { heldCredits } from "#server/credits/hold-credits.ts";
import { emittedEvent, publishEvent } from "#server/events/emit-event.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import { refusalOf, refusedStatement, type StatementBatch } from "#server/operation/statement-batch.ts";
import { takenQuote, untakenError } from "#server/quotes/queries.ts";
import { beyondCap, type CapRefusal, reservedCap } from "../caps.ts";
import { lockedSender, type Sender } from "../enqueue-transaction.ts";
import { type Balances, reservedFunds } from "../funds.ts";
import type { Judgement } from "../judge.ts";
import { withFeeRefusal } from "../network-fees.ts";
import { lockedWallet } from "../queries.ts";
import type { ExecutionKind, Prepared, QuotedWallet, Recorded, Terms } from "./kind.ts";

/**
 * The locks that executing a quote takes first, in the order of `db/functions/wallets.sql`: the quote, the wallet and
 * the sender.
 */
export function locksOf(of: {
  wallet: QuotedWallet;
  /** The version of the policy that it was judged by. */
  version: number;
  quoteId: string;
  /** The resource that the quote becomes. */
  id: string;
  sender: Sender | undefined;
}): StatementBatch {
  const { wallet, version, quoteId, id, sender } = of;
  const quote = { accountId: wallet.accountId, id: quoteId };
  return {
    quote: sql`refuse_unless('quote', ${takenQuote(quote, id)})`,
    policy: sql`refuse_unless('policy', ${lockedWallet(wallet)} = ${version})`,
    ...(sender && { sender: lockedSender(sender) }),
  };
}

/**
 * The other statements, committed all or none. Credits come last, since all calls of the account wait for its ledger.
 */
export function statementsOf<Output>(
  { kind, holdSeconds }: ExecutionKind,
  { row, execution, events }: Recorded<Output>,
  reserved: {
    wallet: QuotedWallet;
    id: string;
    valueUsd: string | null;
    funds: Prepared<Output>["funds"];
    balances: Balances | null;
    charge: Charge;
  },
): StatementBatch {
  const { wallet, id, valueUsd, funds, balances, charge } = reserved;
  const owner = { type: kind, id };
  const hold = toUuid(kind, id);
  return {
    ...row,
    cap: sql`refuse_if('cap', ${reservedCap({ wallet, subject: id, valueUsd })})`,
    ...(funds && {
      funds: sql`refuse_if('funds', ${reservedFunds({ ...funds, network: funds.chain.network, wallet, owner, balances })})`,
    }),
    ...execution,
    ...Object.fromEntries(events.map((event, nth) => [eventName(nth), emittedEvent(event)])),
    ...(charge.credits > 0 && {
      credits: sql`refuse_if('credits', ${heldCredits(hold, charge, holdSeconds)})`,
    }),
  };
}

const eventName = (nth: number) => `event${nth}`;

export function publishEvents(
  { events }: Pick<Recorded<unknown>, "events">,
  results: Record<string, unknown>,
): void {
  for (const [nth, event] of events.entries()) publishEvent(event, results[eventName(nth)] === true);
}

/** Returns the error for the statement that was refused. */
export async function explainRefusal(
  db: Db,
  { kind, table }: ExecutionKind,
  reason: unknown,
  execution: Pick<Terms, "quoteId" | "clientReference"> & {
    caller: Caller;
    walletId: string;
    charge: Charge;
    judged: Judgement;
  },
): Promise<unknown> {
  const { caller, walletId, quoteId, clientReference, charge, judged } = execution;
  const cap = refusalOf<CapRefusal>(reason, "cap");
  if (cap) return beyondCap(judged, cap);
  const credits = refusalOf<Refusal>(reason, "credits");
  if (credits) return refusedCharge(credits, charge);
  switch (refusedStatement(reason)) {
    case "quote":
      return untakenError(db, { accountId: caller.accountId, id: quoteId });
    case "reference":
      return referenceTaken(db, { kind, table }, { accountId: caller.accountId, walletId, clientReference });
    default:
      return withFeeRefusal(reason);
  }
}

/** Returns the error that names the resource with the same reference, whichever key sent it. */
async function referenceTaken(
  db: Db,
  { kind, table }: Pick<ExecutionKind, "kind" | "table">,
  of: { accountId: string; walletId: string; clientReference: string | null },
): Promise<ApiError> {
  const { accountId, walletId, clientReference } = of;
  const [first] = await db.execute<{ id: string }>(sql`select id from ${table}
    where account_id = ${uuidOf("account", accountId)} and wallet_id = ${uuidOf("wallet", walletId)}
      and client_reference = ${clientReference}`);
  const id = first && idOf(kind, first.id);
  const named = `${kind[0]?.toUpperCase()}${kind.slice(1)} ${id}`;
  return new ApiError(
    "already_exists",
    `${named} of this wallet has clientReference ${JSON.stringify(clientReference)} already.`,
  );
}
