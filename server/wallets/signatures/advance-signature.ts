import { and, eq, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { approvals } from "#db/schema/approvals.ts";
import { signatures } from "#db/schema/signatures.ts";
import { wallets } from "#db/schema/wallets.ts";
import type { Caller } from "#server/operation/caller.ts";
import { type Failure, readDecision, useApproval } from "../approved.ts";
import { releaseCap } from "../caps.ts";
import { freeFunds } from "../funds.ts";
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
    if (end.status !== "signed") {
      const { accountId, id } = row;
      await releaseCap(tx, { accountId, subject: id });
      await freeFunds(tx, { accountId, owner: { type: "signature", id } });
    }
    await tx
      .update(signatures)
      .set({
        ...end,
        signature: end.status === "signed" ? signature : null,
        payload: null,
        endedAt: sql`clock_timestamp()`,
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
  const decided = await readDecision(tx, row, "wallets:sign");
  if (decided.type === "waiting") return null;
  if (decided.type === "rejected" || decided.type === "expired") return { status: decided.type };
  const failure = decided.type === "failed" ? decided.failure : await goOn(tx, row, decided.caller);
  return failure ? { status: "rejected", failure } : { status: "signed" };
}

function goOn(tx: Transaction, row: Row, caller: Caller): Promise<Failure | null> {
  const { accountId, id, walletId, approvalId, payloadHash } = row;
  const payload = row.payload as Payload;
  const wallet = { accountId, id: walletId };
  return useApproval(tx, {
    wallet,
    subject: id,
    judge: () => judgePayload(tx, wallet, payload, id),
    use: {
      caller,
      approvalId: approvalId as string,
      kind: "signature",
      serviceId: "managed-wallets",
      subject: { operationId: "signatures.create", id },
      payload: approvalPayload({ walletId, payloadHash, payload }),
    },
  });
}
