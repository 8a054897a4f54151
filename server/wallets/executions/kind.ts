import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db, Transaction } from "#db/client.ts";
import type { Initiated } from "#server/members/initiator.ts";
import type { Scope } from "#server/operation/scopes.ts";
import type { QuoteKind } from "#server/quotes/schema.ts";
import type { Sender } from "../enqueue-transaction.ts";
import type { Facts, Judgement } from "../judge.ts";
import type { WalletRow } from "../queries.ts";

/** What differs between sends, signatures, swaps and orders; `execution.ts` is what they have in common. */
export interface ExecutionKind<Row extends ExecutionRow> {
  /** Also the kind of its approvals, and of the owner of its funds. */
  kind: QuoteKind;
  serviceId: string;
  /** The scope that its initiator needs until it is carried out. */
  scope: Scope;
  /** What its approvals call the operation. */
  approvedOperation: string;
  table: PgTable & Record<"accountId" | "id" | "status", PgColumn>;
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

/** What the policy judges, and what people approve. */
export interface Offer {
  judge(facts: Facts): Judgement;
  /** Exactly this is approved: JSON. */
  approvalPayload: unknown;
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

/** Why something is not carried out. */
export interface Failure {
  code: string;
  message: string;
}
