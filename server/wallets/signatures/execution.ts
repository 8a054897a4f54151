import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { signatures } from "#db/schema/signatures.ts";
import { releaseCap } from "../caps.ts";
import type { ExecutionKind } from "../executions/kind.ts";
import { freeFunds } from "../funds.ts";
import { judgePayload, networkOf, type Payload, signPayload } from "./payload.ts";
import { announceSignature, signatureWith } from "./rows.ts";

type Row = typeof signatures.$inferSelect;

export const signatureExecution: ExecutionKind<Row> = {
  kind: "signature",
  serviceId: "managed-wallets",
  scope: "wallets:sign",
  approvedOperation: "signatures.create",
  table: signatures,

  async renew(_, row, wallet) {
    const { walletId, payloadHash } = row;
    const payload = row.payload as Payload;
    const signature = await signPayload(wallet, payload);
    return {
      network: networkOf(payload),
      judge: (facts) => judgePayload(facts, payload),
      approvalPayload: approvalPayload({ walletId, payloadHash, payload }),
      carryOut: (tx, locked) => store(tx, locked, { status: "signed", signature }),
    };
  },

  async end(tx, row, end) {
    const { accountId, id } = row;
    await releaseCap(tx, { accountId, subject: id });
    await freeFunds(tx, { accountId, owner: { type: "signature", id } });
    await store(
      tx,
      row,
      end.type === "failed" ? { status: "rejected", failure: end.failure } : { status: end.type },
    );
  },
};

async function store(
  tx: Transaction,
  { accountId, id }: Row,
  change: Pick<Row, "status"> & Partial<Pick<Row, "signature" | "failure">>,
): Promise<void> {
  const key = { accountId, id };
  await tx
    .update(signatures)
    .set({ ...change, payload: null, endedAt: sql`clock_timestamp()` })
    .where(signatureWith(key));
  await announceSignature(tx, key);
}

/** What people approve: exactly this, by this wallet. */
export function approvalPayload(of: { walletId: string; payloadHash: string; payload: Payload }) {
  const { walletId, payloadHash, payload } = of;
  return { walletId, payloadHash, ...payload };
}
