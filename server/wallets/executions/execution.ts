import { and, eq } from "drizzle-orm";
import { afterCommit, type Db, type Transaction } from "#db/client.ts";
import { approvals } from "#db/schema/approvals.ts";
import { wallets } from "#db/schema/wallets.ts";
import { consumeApproval, requestApproval } from "#server/approvals/queries.ts";
import { defined } from "#server/base/defined.ts";
import { newId } from "#server/base/ids.ts";
import type { Charge } from "#server/credits/charge.ts";
import { initiatorOf, readInitiator } from "#server/members/initiator.ts";
import type { Caller } from "#server/operation/caller.ts";
import type { Erased } from "#server/operation/declaration.ts";
import { ApiError } from "#server/operation/errors.ts";
import type { CallRequest, Commit } from "#server/operation/operation.ts";
import { refusedStatement, runBatch } from "#server/operation/statement-batch.ts";
import { platform } from "#server/platform.ts";
import { PRICE_VERSION, priceOf } from "#server/services/prices.ts";
import { reserveCap } from "../caps.ts";
import { lockSender, timeAfterWaiting } from "../enqueue-transaction.ts";
import { type Balances, withBalances } from "../funds.ts";
import { type Judgement, readPolicyState } from "../judge.ts";
import { lockWallet, selectWallets } from "../queries.ts";
import type { Ended, ExecutionKind, ExecutionRow, Failure, QuotedWallet, Recorded, Renewed } from "./kind.ts";
import { readQuoted } from "./read-quoted.ts";
import { explainRefusal, locksOf, publishEvents, statementsOf } from "./statements.ts";

/** How often a quote is judged again if the policy changes meanwhile. */
const MAX_TRIES = 5;

interface Execution<Output> {
  quoteId: string;
  /** If set, it must be a quote of that wallet. */
  walletId?: string;
  clientReference?: string | undefined;
  caller: Caller;
  request: Pick<CallRequest, "id" | "runId">;
  db: Db;
  commit: Commit<Output>;
  /** Called if it needs an approval, before that is committed. */
  onAwaitingApproval?(): void;
}

/**
 * Executes a quote: judges it by the policy and commits its reservations, its resource, and its approval or the start
 * of its execution together. If the policy has changed meanwhile, it is judged again.
 */
export async function executeQuote<Output extends Record<string, unknown>>(
  kind: ExecutionKind<Erased, Erased, Output>,
  execution: Execution<Output>,
): Promise<Output> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(kind, execution);
    } catch (reason) {
      if (refusedStatement(reason) !== "policy") throw reason;
      if (tries === MAX_TRIES)
        throw new ApiError("state_conflict", "The wallet's policy keeps changing. Send the call again.");
    }
  }
}

async function attempt<Output extends Record<string, unknown>>(
  kind: ExecutionKind<Erased, Erased, Output>,
  execution: Execution<Output>,
): Promise<Output> {
  const { caller, db, request, quoteId, clientReference = null, commit } = execution;
  const { wallet, plan, state } = await readQuoted(db, { ...execution, kind: kind.kind });
  const quoted = kind.open({ wallet, plan });
  const judged = quoted.judge(state);
  if (judged.decision === "deny") throw new ApiError("policy_denied", judged.reasons.join(" "));
  const { funds, sender, record } = await quoted.prepare(db, judged);
  const charge: Charge = {
    caller,
    credits: priceOf(kind.serviceId, kind.operationId).credits,
    selectors: [kind.operationId],
    requestId: request.id,
    runId: request.runId,
    description: kind.charge,
    priceVersion: PRICE_VERSION,
  };
  const id = newId(kind.kind);
  const initiator = { ...initiatorOf(caller), requestId: request.id };
  const terms = { id, quoteId, clientReference, initiator, heldCredits: charge.credits };

  const commitWith = async (balances: Balances | null): Promise<Output> => {
    const locks = locksOf({ wallet, version: state.version, quoteId, id, sender });
    const reserved = { wallet, id, valueUsd: judged.valueUsd, funds, balances, charge };
    if (judged.decision === "allow" && !sender) {
      const recorded = record({ ...terms, approvalId: null });
      const statements = { ...locks, ...statementsOf(kind, recorded, reserved) };
      afterwards(recorded, await commit.batch(recorded.output, statements));
      return recorded.output;
    }
    return commit(async (tx) => {
      await runBatch(tx, locks);
      const ask = { caller, wallet, id, judged, payload: quoted.approvalPayload };
      const approvalId = judged.decision === "approval" ? await askForApproval(tx, kind, ask) : null;
      // A wallet sends in the order of ids: created under the sender's lock, those of one execution follow each other.
      const sending = sender && { sendsFrom: await timeAfterWaiting(tx, sender) };
      const recorded = record({ ...terms, approvalId, ...sending });
      const results = await runBatch(tx, statementsOf(kind, recorded, reserved));
      if (approvalId) execution.onAwaitingApproval?.();
      afterCommit(tx, () => afterwards(recorded, results));
      return recorded.output;
    });
  };
  try {
    if (!funds) return await commitWith(null);
    const { address } = wallet;
    return await withBalances(db, { kind: kind.kind, address, known: undefined, ...funds }, commitWith);
  } catch (reason) {
    const refused = { caller, walletId: wallet.id, quoteId, clientReference, charge, judged };
    throw await explainRefusal(db, kind, reason, refused);
  }
}

function afterwards(recorded: Recorded<unknown>, results: Record<string, unknown>): void {
  publishEvents(recorded, results);
  recorded.handOver?.(results);
}

/** Requests the approval of those whom the policy names. Returns the approval's id. */
async function askForApproval(
  tx: Transaction,
  { kind, serviceId, approvedOperation }: ExecutionKind,
  ask: {
    caller: Caller;
    wallet: QuotedWallet;
    id: string;
    judged: Judgement;
    payload: unknown;
  },
): Promise<string> {
  const { caller, wallet, id, judged, payload } = ask;
  const { projectId, endUserId } = wallet;
  const approval = await requestApproval(tx, {
    ...judged.approval,
    caller,
    kind,
    serviceId,
    payload,
    assignment: { projectId, endUserId },
    subject: { operationId: approvedOperation, id },
    summary: judged.summary,
    reason: judged.reasons.join(" "),
  });
  return approval.id;
}

/**
 * Continues a resource whose approval was decided or has expired. If approved, it is quoted again and judged once more
 * by the current policy, in the commit that starts its execution. Returns whether it was executed.
 */
export async function resumeExecution<Row extends ExecutionRow>(
  db: Db,
  kind: ExecutionKind<Row>,
  key: Pick<Row, "accountId" | "id">,
): Promise<boolean> {
  const seen = await readAwaiting(db, kind, key);
  const decided = seen && (await readDecision(db, kind, seen));
  if (!seen || !decided) return false;
  // Chains and vaults are called before the transaction begins.
  const renewed = decided.type === "approved" ? await renew(db, kind, seen) : decided;
  const carriedOut = await db.transaction(async (tx) => {
    const row = await readAwaiting(tx, kind, key, { lock: true });
    if (!row) return false;
    const end = "type" in renewed ? renewed : await authorize(tx, kind, row, renewed);
    await (end ? kind.end(tx, row, end) : (renewed as Renewed<Row>).carryOut(tx, row));
    return end === null;
  });
  if (carriedOut && "sender" in renewed) platform().wakeUps.send("transactions");
  return carriedOut;
}

/** Returns the row if it awaits its approval; locked on request. */
async function readAwaiting<Row extends ExecutionRow>(
  db: Db | Transaction,
  { table }: ExecutionKind<Row>,
  { accountId, id }: Pick<Row, "accountId" | "id">,
  { lock = false } = {},
): Promise<Row | undefined> {
  const waits = eq(table.status, "awaiting_approval");
  const query = db
    .select()
    .from(table)
    .where(and(eq(table.accountId, accountId), eq(table.id, id), waits));
  const [row] = await (lock ? query.for("update") : query);
  return row as Row | undefined;
}

/** Returns the decision, and whether the initiator may still continue; null while it is pending. */
async function readDecision<Row extends ExecutionRow>(
  db: Db | Transaction,
  { scope }: ExecutionKind<Row>,
  row: Row,
): Promise<Ended | { type: "approved"; caller: Caller } | null> {
  const [approval] = await db
    .select({ status: approvals.status })
    .from(approvals)
    .where(and(eq(approvals.accountId, row.accountId), eq(approvals.id, defined(row.approvalId))));
  if (approval?.status === "rejected" || approval?.status === "expired") return { type: approval.status };
  if (approval?.status !== "approved") return null;
  const { caller, refusal } = await readInitiator(db, row, scope);
  if (caller) return { type: "approved", caller };
  return failed({ code: refusal, message: `Who asked for it may not do so any more (${refusal}).` });
}

/** Quotes again; a refusal of the platform or of a chain fails the resource, an outage is tried again later. */
async function renew<Row extends ExecutionRow>(
  db: Db,
  kind: ExecutionKind<Row>,
  row: Row,
): Promise<Renewed<Row> | Ended> {
  const { accountId, walletId } = row;
  const mine = and(eq(wallets.accountId, accountId), eq(wallets.id, walletId));
  const [wallet] = await selectWallets(db).where(mine);
  try {
    const renewed = await kind.renew(db, row, defined(wallet));
    return "failure" in renewed ? failed(renewed.failure) : renewed;
  } catch (reason) {
    return failed(refusalIn(reason));
  }
}

/**
 * Judges by the policy, which is locked until the transaction ends, reserves again and consumes the approval. Returns
 * the end of the resource instead if it is refused; then nothing was consumed.
 */
async function authorize<Row extends ExecutionRow>(
  tx: Transaction,
  kind: ExecutionKind<Row>,
  row: Row,
  renewed: Renewed<Row>,
): Promise<Ended | null> {
  const { accountId, id, walletId, approvalId } = row;
  const decided = await readDecision(tx, kind, row);
  if (decided?.type !== "approved") return decided;
  const wallet = { accountId, id: walletId };
  await lockWallet(tx, wallet);
  const judged = renewed.judge(await readPolicyState(tx, { wallet, network: renewed.network, subject: id }));
  const { decision, reasons, valueUsd } = judged;
  if (decision === "deny") return failed({ code: "policy_denied", message: reasons.join(" ") });
  if (renewed.sender) await lockSender(tx, renewed.sender);
  try {
    await reserveCap(tx, { wallet, subject: id, valueUsd });
  } catch (reason) {
    return failed(refusalIn(reason));
  }
  await consumeApproval(tx, {
    caller: decided.caller,
    approvalId: defined(approvalId),
    kind: kind.kind,
    serviceId: kind.serviceId,
    subject: { operationId: kind.approvedOperation, id },
    payload: renewed.approvalPayload,
  });
  return null;
}

const failed = (failure: Failure) => ({ type: "failed", failure }) as const;

function refusalIn(reason: unknown): Failure {
  if (!(reason instanceof ApiError) || reason.status >= 500) throw reason;
  return { code: reason.code, message: reason.message };
}
