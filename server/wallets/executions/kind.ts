import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Address } from "viem";
import type { Db, Transaction } from "#db/client.ts";
import type { NewEvent } from "#server/events/emit-event.ts";
import type { Initiated, initiatorOf } from "#server/members/initiator.ts";
import type { Erased } from "#server/operation/operation.ts";
import type { Scope } from "#server/operation/scopes.ts";
import type { StatementBatch } from "#server/operation/statement-batch.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import type { QuoteKind } from "#server/quotes/schema.ts";
import type { Sender } from "../enqueue-transaction.ts";
import type { Balances, Spend } from "../funds.ts";
import type { Judgement, PolicyState } from "../judge.ts";
import type { WalletRow } from "../queries.ts";

/** Longer than anything waits for people. */
export const LONGEST_WAIT_SECONDS = 8 * 86_400;

/** What differs between sends, signatures, swaps and orders; `execution.ts` is what they have in common. */
export interface ExecutionKind<Row extends ExecutionRow = Erased, Plan = Erased, Output = Erased> {
  /** Also the kind of its quotes and approvals, and of the owner of its funds. */
  kind: QuoteKind;
  serviceId: string;
  /** The operation that executes its quotes, by which it is priced. */
  operationId: string;
  /** What its approvals call that operation. */
  approvedOperation: string;
  /** The scope that its initiator needs until it is carried out. */
  scope: Scope;
  /** What the ledger calls its charge. */
  charge: string;
  /** For how long its credits are held: longer than it may wait. */
  holdSeconds: number;
  table: PgTable & Record<"accountId" | "id" | "walletId" | "status", PgColumn>;
  /** Reads what was quoted. */
  open(quoted: { wallet: QuotedWallet; plan: Plan }): Quoted<Output>;
  /** Quotes what was approved as it would be carried out now; asks chains and vaults what it needs for that. */
  renew(db: Db, row: Row, wallet: WalletRow): Promise<Renewed<Row> | { failure: Failure }>;
  /** Ends what is not carried out, and gives back what it has reserved. */
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

/** What the policy judges, and what people approve. */
interface Offer {
  judge(state: PolicyState): Judgement;
  /** Exactly this is approved: JSON. */
  approvalPayload: unknown;
}

/** A quote that is executed. */
export interface Quoted<Output> extends Offer {
  /** Asks chains and vaults what it needs, before the commit. */
  prepare(db: Db, judged: Judgement): Promise<Prepared<Output>>;
}

export interface Prepared<Output> {
  /** What it takes of its wallet; null where it moves nothing. */
  funds: {
    chain: Chain;
    spends: readonly Spend[];
    /** What the wallet had when it was quoted, if that was read. */
    known?: Balances;
    /** Whether it is refused what the wallet has not, even where nothing else is promised. */
    strict?: boolean;
  } | null;
  /** The address that sends it at once, where that takes several transactions that follow each other. */
  sender?: Sender | undefined;
  /** Makes the row, with what carries it out unless it waits for an approval. */
  record(terms: Terms): Recorded<Output>;
}

/** What an execution is recorded with. */
export interface Terms {
  id: string;
  quoteId: string;
  clientReference: string | null;
  approvalId: string | null;
  initiator: ReturnType<typeof initiatorOf> & { requestId: string };
  heldCredits: number;
  /** From when on the ids are of what its sender sends (`timeAfterWaiting`), where it has one. */
  sendsFrom?: Date;
}

/** What is committed. */
export interface Recorded<Output> {
  output: Output;
  /** Inserts the row; refused as `reference` where another has its reference. */
  row: StatementBatch;
  /** Carries it out. */
  execution?: StatementBatch | undefined;
  events: readonly NewEvent[];
  /** Hands it over to be carried out, once it is committed; `results` are those of the statements. */
  handOver?: ((results: Record<string, unknown>) => void) | undefined;
}

/** What was approved, as it would be carried out now. */
export interface Renewed<Row> extends Offer {
  /** CAIP-2; null for what is bound to no chain. */
  network: string | null;
  /** The address that sends it at once. */
  sender?: Sender;
  carryOut(tx: Transaction, row: Row): Promise<unknown>;
}

/** How something ends that is not carried out. */
export type Ended = { type: "rejected" } | { type: "expired" } | { type: "failed"; failure: Failure };

/** The columns that such an end changes, where the kind has a status for it; `failed` is the one of a failure. */
export const endedAs = <Failed extends string>(end: Ended, failed: Failed) =>
  end.type === "failed" ? { status: failed, failure: end.failure } : { status: end.type };

/** Why something is not carried out. */
export interface Failure {
  code: string;
  message: string;
}
