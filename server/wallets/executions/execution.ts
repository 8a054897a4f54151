import { and, eq } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { approvals } from "#db/schema/approvals.ts";
import { wallets } from "#db/schema/wallets.ts";
import { consumeApproval, requestApproval } from "#server/approvals/queries.ts";
import { readInitiator } from "#server/members/initiator.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import { reserveCap } from "../caps.ts";
import { lockSender } from "../enqueue-transaction.ts";
import { type Judgement, readFacts } from "../judge.ts";
import { lockWallet, selectWallets, type WalletRow } from "../queries.ts";
import type { Ended, ExecutionKind, ExecutionRow, Failure, Renewed } from "./kind.ts";

/** Has those whom the policy names approve what is about to wait for them. Returns the approval's id. */
export async function askForApproval<Row extends ExecutionRow>(
  tx: Transaction,
  { kind, serviceId, approvedOperation }: ExecutionKind<Row>,
  ask: {
    caller: Caller;
    wallet: Pick<WalletRow, "projectId" | "endUserId">;
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
 * Goes on with what waits for an approval that was decided or has expired. Approved, it is quoted anew and judged once
 * more by the policy as it is then, in the commit that carries it out. Returns whether it was carried out.
 */
export async function resumeExecution<Row extends ExecutionRow>(
  db: Db,
  kind: ExecutionKind<Row>,
  key: Pick<Row, "accountId" | "id">,
): Promise<boolean> {
  const [seen] = (await selectAwaiting(db, kind, key)) as Row[];
  const decided = seen && (await readDecision(db, kind, seen));
  if (!seen || !decided) return false;
  // Chains and vaults are asked before the transaction begins.
  const renewed = decided.type === "approved" ? await renew(db, kind, seen) : decided;
  const carriedOut = await db.transaction(async (tx) => {
    const [row] = (await selectAwaiting(tx, kind, key).for("update")) as Row[];
    if (!row) return false;
    const end = "type" in renewed ? renewed : await authorize(tx, kind, row, renewed);
    await (end ? kind.end(tx, row, end) : (renewed as Renewed<Row>).carryOut(tx, row));
    return end === null;
  });
  if (carriedOut && "sender" in renewed) platform().wakeUps.send("transactions");
  return carriedOut;
}

function selectAwaiting<Row extends ExecutionRow>(
  db: Db | Transaction,
  { table }: ExecutionKind<Row>,
  { accountId, id }: Pick<Row, "accountId" | "id">,
) {
  const waits = eq(table.status, "awaiting_approval");
  return db
    .select()
    .from(table)
    .where(and(eq(table.accountId, accountId), eq(table.id, id), waits));
}

/** Returns what was decided, and whether the initiator may still go on; null while people decide. */
async function readDecision<Row extends ExecutionRow>(
  db: Db | Transaction,
  { scope }: ExecutionKind<Row>,
  row: Row,
): Promise<Ended | { type: "approved"; caller: Caller } | null> {
  const [approval] = await db
    .select({ status: approvals.status })
    .from(approvals)
    .where(and(eq(approvals.accountId, row.accountId), eq(approvals.id, row.approvalId as string)));
  if (approval?.status === "rejected" || approval?.status === "expired") return { type: approval.status };
  if (approval?.status !== "approved") return null;
  const { caller, refusal } = await readInitiator(db, row, scope);
  if (caller) return { type: "approved", caller };
  return failed({ code: refusal, message: `Who asked for it may not do so any more (${refusal}).` });
}

/** Quotes anew; what the platform or a chain refuses fails it, and what they did not answer is asked again later. */
async function renew<Row extends ExecutionRow>(
  db: Db,
  kind: ExecutionKind<Row>,
  row: Row,
): Promise<Renewed<Row> | Ended> {
  const { accountId, walletId } = row;
  const mine = and(eq(wallets.accountId, accountId), eq(wallets.id, walletId));
  const [wallet] = await selectWallets(db).where(mine);
  try {
    const renewed = await kind.renew(db, row, wallet as WalletRow);
    return "failure" in renewed ? failed(renewed.failure) : renewed;
  } catch (reason) {
    return failed(refusalIn(reason));
  }
}

/**
 * Judges by the policy as it stands until the transaction ends, reserves anew and uses the approval up. Returns how it
 * ends instead; then nothing was used up.
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
  const judged = renewed.judge(await readFacts(tx, { wallet, network: renewed.network, subject: id }));
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
    approvalId: approvalId as string,
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
