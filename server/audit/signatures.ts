import type { KeyObject } from "node:crypto";
import { canonicalJson } from "#server/base/canonical-json.ts";
import { isSigned, publicKeyOf, signBytes } from "#server/base/ed25519.ts";

/** A statement, signed in its RFC 8785 form; `purpose` keeps one kind from being taken for another. */
export type Statement = { purpose: string } & Record<string, string | number | null>;

export interface Signature {
  /** The Ed25519 signature of the statement, in base64. */
  signature: string;
  /** The 32 raw bytes of the public key, in base64. */
  publicKey: string;
}

/** The statement about a chain's head. */
export interface Head {
  accountId: string;
  sequence: number;
  hash: string;
  signedAt: string;
}

export function headStatement({ accountId, sequence, hash, signedAt }: Head): Statement {
  return { purpose: "audit-head/v1", accountId, sequence, hash, signedAt };
}

const bytesOf = (statement: Statement) => Buffer.from(canonicalJson(statement));

export function signStatement(key: KeyObject, statement: Statement): Signature {
  return { signature: signBytes(bytesOf(statement), key), publicKey: publicKeyOf(key) };
}

/** True if the signature's key signed this statement. */
export function isStatementSigned(statement: Statement, { signature, publicKey }: Signature): boolean {
  return isSigned(bytesOf(statement), signature, publicKey);
}
