import { createPublicKey } from "node:crypto";
import { calculateJwkThumbprint, SignJWT } from "jose";
import type { Db, Transaction } from "#db/client.ts";
import { receiptKeys } from "#db/schema/payments.ts";
import { platform } from "#server/platform.ts";

/** The content of a receipt. */
export interface Purchase {
  accountId: string;
  receiptId: string;
  cents: number;
  credits: number;
  payment: Record<"network" | "asset" | "amount" | "payer" | "payTo" | "transactionHash", string> & {
    logIndex: number;
  };
}

/** The installation's public key for receipts. */
export async function receiptKey() {
  const { receiptSigningKey } = platform().settings;
  const jwk = createPublicKey(receiptSigningKey).export({ format: "jwk" }) as Record<string, string>;
  const kid = await calculateJwkThumbprint(jwk);
  return { kid, jwk: { ...jwk, kid, alg: "EdDSA", use: "sig" } };
}

/** Signs a receipt, a JWT that names its purchase in its claims; its key stays published for good. */
export async function signReceipt(tx: Db | Transaction, purchase: Purchase): Promise<string> {
  const { settings } = platform();
  const { kid, jwk } = await receiptKey();
  await tx.insert(receiptKeys).values({ kid, jwk }).onConflictDoNothing();
  const { accountId, receiptId, cents, credits, payment } = purchase;
  return new SignJWT({ creditedUsd: cents / 100, creditedCredits: credits, payment })
    .setProtectedHeader({ alg: "EdDSA", kid, typ: "JWT" })
    .setIssuer(settings.baseUrl)
    .setSubject(accountId)
    .setJti(receiptId)
    .setIssuedAt()
    .sign(settings.receiptSigningKey);
}
