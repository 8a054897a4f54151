import { and, eq, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { approvals } from "#db/schema/approvals.ts";
import { signatures } from "#db/schema/signatures.ts";
import { wallets } from "#db/schema/wallets.ts";
import { consumeApproval, readApproval } from "#server/approvals/queries.ts";
import { readInitiator } from "#server/members/initiator.ts";
import { ApiError } from "#server/operation/errors.ts";
import { releaseCap, reserveCap } from "../caps.ts";
import { selectWallets } from "../queries.ts";
import { approvalPayload } from "./create-signature.ts";
import { judgePayload, type Payload, signPayload } from "./payload.ts";
import { announceSignature, type SignatureRow, selectSignatures, signatureWith } from "./rows.ts";

type Row = SignatureRow;
type End = Pick<Row, "status"> & Partial<Pick<Row, "signature" | "failure">>;

/**
 * Goes on with a signature whose approval was decided or has expired. Approved, it is judged once more as it is then:
 * whoever asked must still be allowed to, and the policy may deny what it left to people before.
 */
export async function advanceSignature(db: Db, key: { accountId: string; id: string }): Promise<void> {
  const [row] = await selectSignatures(db).where(signatureWith(key));
  if (row?.status !== "awaiting_approval") return;
  // Made before the transaction that lets it out: a vault may lie on the network.
  const signature = (await isApproved(db, row)) ? await sign(db, row) : null;
  await db.transaction(async (tx) => {
    const [locked] = await tx
      .select({ status: signatures.status })
      .from(signatures)
      .where(signatureWith(key))
      .for("update");
    if (locked?.status !== "awaiting_approval") return;
    const end = await outcomeOf(tx, row);
    // Approved in between, it has this job done again.
    if (!end || (end.status === "signed" && !signature)) return;
    if (end.status !== "signed") await releaseCap(tx, { accountId: row.accountId, subject: row.id });
    await tx
      .update(signatures)
      .set({
        ...{ ...end, signature: end.status === "signed" ? signature : null },
        ...{ payload: null, endedAt: sql`clock_timestamp()` },
      })
      .where(signatureWith(key));
    await announceSignature(tx, key);
  });
}

async function isApproved(db: Db, { accountId, approvalId }: Row): Promise<boolean> {
  const [approval] = await db
    .select({ status: approvals.status })
    .from(approvals)
    .where(and(eq(approvals.accountId, accountId), eq(approvals.id, approvalId as string)));
  return approval?.status === "approved";
}

async function sign(db: Db, { accountId, walletId, payload }: Row): Promise<string> {
  const [wallet] = await selectWallets(db).where(
    and(eq(wallets.accountId, accountId), eq(wallets.id, walletId)),
  );
  if (!wallet) throw new Error(`Wallet ${walletId} is gone.`);
  return signPayload(wallet, payload as Payload);
}

/** How it ends; null while people still decide. */
async function outcomeOf(tx: Transaction, row: Row): Promise<End | null> {
  const { caller, refusal } = await readInitiator(tx, row, "wallets:sign");
  if (!caller) {
    const message = `Who asked for it may not sign any more (${refusal}).`;
    return { status: "rejected", failure: { code: refusal, message } };
  }
  const approval = await readApproval(tx, { caller, approvalId: row.approvalId as string });
  if (approval?.status === "rejected" || approval?.status === "expired") return { status: approval.status };
  if (approval?.status !== "approved") return null;
  const { accountId, id, walletId, payloadHash } = row;
  const payload = row.payload as Payload;
  const wallet = { accountId, id: walletId };
  try {
    const { decision, reasons, valueUsd } = await judgePayload(tx, wallet, payload, id);
    if (decision === "deny") throw new ApiError("policy_denied", reasons.join(" "));
    await reserveCap(tx, { wallet, subject: id, valueUsd });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: "rejected", failure: { code: error.code, message: error.message } };
  }
  await consumeApproval(tx, {
    ...{ caller, approvalId: approval.id, kind: "signature", serviceId: "managed-wallets" },
    subject: { operationId: "signatures.create", id },
    payload: approvalPayload({ walletId, payloadHash, payload }),
  });
  return { status: "signed" };
}
