import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Address } from "viem";
import type { Db, Transaction } from "#db/client.ts";
import type { NewEvent } from "#server/events/emit-event.ts";
import type { Initiated, initiatorOf } from "#server/members/initiator.ts";
import type { Erased } from "#server/operation/declaration.ts";
import type { Scope } from "#server/operation/scopes.ts";
import type { StatementBatch } from "#server/operation/statement-batch.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import type { QuoteKind } from "#server/quotes/schema.ts";
import type { Sender } from "../enqueue-transaction.ts";
import type { Balances, Spend } from "../funds.ts";
import type { Judgement, PolicyState } from "../judge.ts";
import type { WalletRow } from "../queries.ts";

/** Longer than any approval is pending. */
export const LONGEST_WAIT_SECONDS = 8 * 86_400;

/** The differences between sends, signatures, swaps and orders; `execution.ts` is their common part. */
export interface ExecutionKind<Row extends ExecutionRow = Erased, Plan = Erased, Output = Erased> {
  /** Also the kind of its quotes and approvals, and of the owner of its funds. */
  kind: QuoteKind;
  serviceId: string;
  /** The operation that executes its quotes, by which it is priced. */
  operationId: string;
  /** The operation's name in its approvals. */
  approvedOperation: string;
  /** The scope that its initiator needs until it is carried out. */
  scope: Scope;
  /** The description of its charge in the ledger. */
  charge: string;
  /** How long its credits are held: longer than it may wait. */
  holdSeconds: number;
  table: PgTable & Record<"accountId" | "id" | "walletId" | "status", PgColumn>;
  /** Opens the quoted plan. */
  open(quoted: { wallet: QuotedWallet; plan: Plan }): Quoted<Output>;
  /** Quotes the approved resource at current prices; calls the chains and vaults it needs for that. */
  renew(db: Db, row: Row, wallet: WalletRow): Promise<Renewed<Row> | { failure: Failure }>;
  /** Ends a resource that is not executed, and releases its reservations. */
  end(tx: Transaction, row: Row, end: Ended): Promise<unknown>;
}

/** A row that may wait for an approval. */
export interface ExecutionRow extends Initiated {
  id: string;
  walletId: string;
  approvalId: string | null;
}

/** The wallet of a quote that is executed. */
export type QuotedWallet = Pick<WalletRow, "accountId" | "id" | "projectId" | "endUserId" | "endUser"> & {
  address: Address;
};

/** The content that the policy judges and people approve. */
interface Offer {
  judge(state: PolicyState): Judgement;
  /** Exactly this is approved: JSON. */
  approvalPayload: unknown;
}

/** A quote that is executed. */
export interface Quoted<Output> extends Offer {
  /** Calls the chains and vaults that it needs, before the commit. */
  prepare(db: Db, judged: Judgement): Promise<Prepared<Output>>;
}

export interface Prepared<Output> {
  /** The amounts that it takes from its wallet; null if it moves nothing. */
  funds: {
    chain: Chain;
    spends: readonly Spend[];
    /** The wallet's balances when it was quoted, if they were read. */
    known?: Balances;
    /** True to refuse amounts beyond the balance even without other reservations. */
    strict?: boolean;
  } | null;
  /** The sender, if it sends several transactions that must follow each other. */
  sender?: Sender | undefined;
  /** Returns the statements that insert the row and, unless it waits for an approval, start its execution. */
  record(terms: Terms): Recorded<Output>;
}

/** The arguments for inserting an execution's row. */
export interface Terms {
  id: string;
  quoteId: string;
  clientReference: string | null;
  approvalId: string | null;
  initiator: ReturnType<typeof initiatorOf> & { requestId: string };
  heldCredits: number;
  /** The time from which on the ids of its transactions are (`timeAfterWaiting`), if it has a sender. */
  sendsFrom?: Date;
}

/** The statements to commit. */
export interface Recorded<Output> {
  output: Output;
  /** Inserts the row; refused as `reference` if another has its reference. */
  row: StatementBatch;
  /** Carries it out. */
  execution?: StatementBatch | undefined;
  events: readonly NewEvent[];
  /** Starts the execution after the commit; `results` are those of the statements. */
  handOver?: ((results: Record<string, unknown>) => void) | undefined;
}

/** The approved resource at current prices. */
export interface Renewed<Row> extends Offer {
  /** The CAIP-2 id of its chain; null if it is bound to none. */
  network: string | null;
  /** The address that sends it at once. */
  sender?: Sender;
  carryOut(tx: Transaction, row: Row): Promise<unknown>;
}

/** The end of a resource that is not executed. */
export type Ended = { type: "rejected" } | { type: "expired" } | { type: "failed"; failure: Failure };

/** The columns that such an end changes, if the kind has a status for it; `failed` is that of a failure. */
export const endedAs = <Failed extends string>(end: Ended, failed: Failed) =>
  end.type === "failed" ? { status: failed, failure: end.failure } : { status: end.type };

/** Why a resource is not executed. */
export interface Failure {
  code: string;
  message: string;
}
